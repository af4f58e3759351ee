const formats = new Map<string, Intl.DateTimeFormat>();

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  formats.set(zone, made);
  return made;
}

/** The zone's offset from UTC at an instant, in milliseconds. */
export function offsetAt(zone: string, instant: number): number {
  const name = formatOf(zone)
    .formatToParts(instant)
    .find(({ type }) => type === "timeZoneName")?.value;
  const [, sign, hours = "0", minutes = "0", seconds = "0"] =
    /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name ?? "") ?? [];
  return (sign === "-" ? -1_000 : 1_000) * (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds));
}

/** A change of a zone's offset. */
export interface ClockChange {
  at: number;
  /** Offsets before and from `at` on. */
  before: number;
  after: number;
}

/** The first change between two instants whose offsets differ, from `before`'s offset. */
export function changeBetween(zone: string, from: number, to: number): ClockChange | null {
  const before = offsetAt(zone, from);
  if (offsetAt(zone, to) === before) return null;
  let [still, changed] = [from, to];
  while (changed - still > 1) {
    const middle = Math.floor((still + changed) / 2);
    if (offsetAt(zone, middle) === before) still = middle;
    else changed = middle;
  }
  return { at: changed, before, after: offsetAt(zone, changed) };
}
