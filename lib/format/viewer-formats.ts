import { BRITISH_NUMBERS, type NumberStyle } from "./numbers";
import type { DateOrder, TimeStyle } from "./times";

/** How the viewer's browser would write numbers and times, but for the zone, which no browser tells. */
export interface ViewerFormats {
  numbers: NumberStyle;
  times: Omit<TimeStyle, "zone">;
}

export const BRITISH: ViewerFormats = { numbers: BRITISH_NUMBERS, times: { hours: 24, order: "day month year" } };

const MOST_LANGUAGES = 20;

/** @param acceptLanguage the header by which a browser tells its languages; British where it names none that is known */
export function viewerFormats(acceptLanguage: string | null): ViewerFormats {
  const locale = firstLocale(acceptLanguage ?? "");
  if (locale === null) return BRITISH;
  return { numbers: numbersOf(locale), times: { hours: hoursOf(locale), order: orderOf(locale) } };
}

/** The one that is wanted most; of equals the first. */
function firstLocale(header: string): string | null {
  const wanted = header
    .split(",", MOST_LANGUAGES)
    .map((entry) => {
      const [tag = "", ...rest] = entry.split(";").map((part) => part.trim());
      const q = rest.find((part) => part.startsWith("q="))?.slice(2);
      return { tag, weight: q === undefined ? 1 : Number(q) || 0 };
    })
    .filter(({ tag, weight }) => weight > 0 && isKnown(tag))
    .sort((a, b) => b.weight - a.weight);
  return wanted[0]?.tag ?? null;
}

function isKnown(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false; // no tag of a language at all
  }
}

function numbersOf(locale: string): NumberStyle {
  const parts = (value: number, options: Intl.NumberFormatOptions = {}) =>
    new Intl.NumberFormat(locale, { numberingSystem: "latn", ...options }).formatToParts(value);
  const pattern = (value: number, options: Intl.NumberFormatOptions) =>
    parts(value, options)
      .map(({ type, value: text }) => (type === "integer" ? "#" : type === "currency" ? "¤" : text))
      .join("")
      .replaceAll(/[\u061c\u200e\u200f]/g, ""); // the words around it run from left to right
  const many = parts(1_234_567.5);
  const integers = many.filter(({ type }) => type === "integer");
  return {
    decimal: many.find(({ type }) => type === "decimal")?.value ?? BRITISH_NUMBERS.decimal,
    group: many.find(({ type }) => type === "group")?.value ?? "",
    groupsFrom: parts(1_234).some(({ type }) => type === "group") ? 4 : 5,
    groupOf: integers.at(-2)?.value.length === 2 ? 2 : 3,
    percent: pattern(0.12, { style: "percent" }),
    money: pattern(1, { style: "currency", currency: "EUR", maximumFractionDigits: 0 }),
  };
}

const hoursOf = (locale: string): 12 | 24 =>
  new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hour12 ? 12 : 24;

function orderOf(locale: string): DateOrder {
  const options = { day: "numeric", month: "numeric", year: "numeric", calendar: "gregory" } as const;
  const types = new Intl.DateTimeFormat(locale, options).formatToParts(0).map(({ type }) => type);
  if (types.indexOf("year") < types.indexOf("day")) return "year month day";
  return types.indexOf("month") < types.indexOf("day") ? "month day year" : "day month year";
}
