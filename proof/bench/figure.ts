/** One measured figure beside what it is to reach. */
export interface Figure {
  measure: string;
  /** For display, with its unit. */
  measured: string;
  /** The number that is compared with the limit; a ratio wherever there is a baseline. */
  value: number;
  /** `>=` or `<=` and the limit. */
  target: { at: "least" | "most"; limit: number };
}

export const isMet = ({ value, target }: Figure): boolean =>
  target.at === "least" ? value >= target.limit : value <= target.limit;

export const atLeast = (limit: number): Figure["target"] => ({ at: "least", limit });
export const atMost = (limit: number): Figure["target"] => ({ at: "most", limit });

export function lineOf(figure: Figure): string {
  const sign = figure.target.at === "least" ? "≥" : "≤";
  return `  ${isMet(figure) ? "met   " : "MISSED"}  ${figure.measure}: ${figure.value.toFixed(3)} (${figure.measured}; ${sign} ${figure.target.limit})`;
}

export const perSecond = (count: number): string => `${Math.round(count).toLocaleString("en")}/s`;
export const ms = (value: number): string =>
  `${value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString("en")} ms`;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
