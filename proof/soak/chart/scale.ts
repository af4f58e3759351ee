/** The axis of one panel, from 0: round steps, the last of them at or above the greatest value. */
export interface Scale {
  max: number;
  ticks: number[];
}

/** Steps of an axis begin with one of these. */
const ROUND = [1, 2, 2.5, 5, 10];

export function scaleOf(values: readonly number[], steps = 3): Scale {
  const greatest = values.reduce((max, value) => Math.max(max, value), 0);
  if (greatest === 0) return { max: 1, ticks: [0, 1] };
  const raw = greatest / steps;
  const power = 10 ** Math.floor(Math.log10(raw));
  // What floating point adds must not cost a step.
  const step = (ROUND.find((round) => round * power >= raw * (1 - 1e-9)) as number) * power;
  const count = Math.ceil((greatest / step) * (1 - 1e-9));
  return { max: step * count, ticks: Array.from({ length: count + 1 }, (_, n) => step * n) };
}

/** From a domain that begins at 0 to pixels. */
export const place = (value: number, max: number, pixels: number): number => (max === 0 ? 0 : (value / max) * pixels);

/** Few digits: 1.2k, 340, 0.5. */
export function shortNumber(value: number): string {
  const [divisor, unit] = value >= 1e6 ? [1e6, "M"] : value >= 1e4 ? [1e3, "k"] : [1, ""];
  return `${Number((value / divisor).toPrecision(3))}${unit}`;
}
