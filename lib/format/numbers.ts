/**
 * How one writes numbers where the viewer lives. Marks rather than a locale's name: the server finds them (viewer-formats.ts) and
 * the browser takes them over, for two releases of Unicode's data may group differently, and the page would be drawn twice.
 */
export interface NumberStyle {
  decimal: string;
  group: string;
  /** Integers with fewer digits are not grouped. */
  groupsFrom: number;
  /** Digits of the groups before the last three: two where one counts in lakhs. */
  groupOf: 2 | 3;
  /** `#` is the number: `#%`, `# %`, `%#`. */
  percent: string;
  /** `¤` is the currency: `¤#`, `# ¤`. */
  money: string;
}

export const BRITISH_NUMBERS: NumberStyle = {
  decimal: ".",
  group: ",",
  groupsFrom: 4,
  groupOf: 3,
  percent: "#%",
  money: "¤#",
};

let styleNow = (): NumberStyle => BRITISH_NUMBERS;

/** Says where the viewer's style is found: in a browser there is one viewer, on the server one for each page that is drawn. */
export function findNumberStyle(find: () => NumberStyle): void {
  styleNow = find;
}

/** At most so many decimals, without zeros at their end: `1,204`, `12.5`. */
export function formatNumber(value: number, decimals = 3): string {
  const { decimal, group, groupsFrom, groupOf } = styleNow();
  const [whole = "", part = ""] = Math.abs(value).toFixed(decimals).split(".");
  const fraction = part.replace(/0+$/, "");
  const grouped =
    whole.length < groupsFrom ? whole : whole.replace(groupOf === 3 ? IN_THREES : IN_TWOS_BEFORE_THREE, group);
  const text = fraction === "" ? grouped : `${grouped}${decimal}${fraction}`;
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

const IN_THREES = /\B(?=(\d{3})+$)/g;
const IN_TWOS_BEFORE_THREE = /\B(?=(\d\d)*\d{3}$)/g;

/** A share of one: `42%`, `2.3%`. */
export const formatPercent = (share: number, decimals = 1): string =>
  styleNow().percent.replace("#", () => formatNumber(share * 100, decimals));

/** An amount in the smallest unit of a currency with two decimals: `€129.00`. */
export function formatMoney(cents: number, currency = "EUR"): string {
  const whole = formatNumber(Math.trunc(cents / 100));
  const part = String(Math.abs(cents % 100)).padStart(2, "0");
  const amount = `${cents < 0 && cents > -100 ? "-" : ""}${whole}${styleNow().decimal}${part}`;
  return styleNow()
    .money.replace("¤", SYMBOLS[currency] ?? `${currency}\u00a0`)
    .replace("#", amount);
}

const SYMBOLS: Record<string, string> = { EUR: "€", USD: "$", GBP: "£" };
