/** In which order one writes a date. The words of it stay English. */
export type DateOrder = "day month year" | "month day year" | "year month day";

/** How a viewer writes times. */
export interface TimeStyle {
  /** IANA name */
  zone: string;
  hours: 12 | 24;
  order: DateOrder;
}

type At = string | number | Date;

/** `12:05:04`, or `12:05:04 pm` */
export const formatClock = (at: At, style: TimeStyle): string => clock(at, style, { second: "2-digit" });

/** `12:05` */
export const formatMinute = (at: At, style: TimeStyle): string => clock(at, style, {});

/** `12:05:04.123` */
export const formatClockToMs = (at: At, style: TimeStyle): string =>
  clock(at, style, { second: "2-digit", fractionalSecondDigits: 3 });

/** `21 Nov`, or `Nov 21` */
export function formatDay(at: At, style: TimeStyle): string {
  const { day, month } = dateOf(at, style.zone);
  return style.order === "day month year" ? `${day} ${month}` : `${month} ${day}`;
}

/** `21 Nov 2026`, `Nov 21, 2026` or `2026 Nov 21` */
export function formatDate(at: At, style: TimeStyle): string {
  const { year } = dateOf(at, style.zone);
  if (style.order === "year month day") return `${year} ${formatDay(at, style)}`;
  return `${formatDay(at, style)}${style.order === "month day year" ? "," : ""} ${year}`;
}

/** `Sat 12:05` */
export const formatWeekdayMinute = (at: At, style: TimeStyle): string =>
  `${formatter({ weekday: "short", timeZone: style.zone }).format(new Date(at))} ${formatMinute(at, style)}`;

export const isSameDay = (at: At, other: At, { zone }: TimeStyle): boolean => dayOf(at, zone) === dayOf(other, zone);

/** `12:05:04` of the same day, `21 Nov 12:05` of another, with the year where that differs. */
export function formatMoment(at: At, nowMs: number, style: TimeStyle): string {
  if (isSameDay(at, nowMs, style)) return formatClock(at, style);
  const sameYear = dateOf(at, style.zone).year === dateOf(nowMs, style.zone).year;
  return `${sameYear ? formatDay(at, style) : formatDate(at, style)} ${formatMinute(at, style)}`;
}

/** `21 Nov 2026, 12:05:04.123`: everything, for a tooltip or a detail. */
export const formatInstant = (at: At, style: TimeStyle): string =>
  `${formatDate(at, style)}, ${formatClockToMs(at, style)}`;

/** `2026-11-21 12:05:04.123 UTC` */
export const formatUtc = (at: string): string => `${new Date(at).toISOString().replace("T", " ").replace("Z", "")} UTC`;

function clock(at: At, { zone, hours }: TimeStyle, finer: Intl.DateTimeFormatOptions): string {
  const hour = hours === 12 ? "numeric" : "2-digit";
  const hourCycle = hours === 12 ? "h12" : "h23";
  return formatter({ hour, hourCycle, minute: "2-digit", ...finer, timeZone: zone }).format(new Date(at));
}

function dateOf(at: At, timeZone: string): { day: string; month: string; year: string } {
  const parts = formatter({ day: "numeric", month: "short", year: "numeric", timeZone }).formatToParts(new Date(at));
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return { day: of("day"), month: of("month"), year: of("year") };
}

const dayOf = (at: At, timeZone: string) =>
  formatter({ year: "numeric", month: "numeric", day: "numeric", timeZone }).format(new Date(at));

// Making a formatter takes a hundred times as long as using one, and a table uses one per cell.
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", options);
  formatters.set(key, made);
  return made;
}
