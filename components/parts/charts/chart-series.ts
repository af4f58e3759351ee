/** Colors by meaning; `plot.ts` looks each up in the tokens of the current theme. */
export const CHART_TONES = {
  quiet: "--field",
  accent: "--accent",
  red: "--red",
  amber: "--amber",
  violet: "--violet",
  ink: "--ink-2",
} as const;
export type ChartTone = keyof typeof CHART_TONES;

/** Distinguishable without color: bars, or lines with different dashes. */
type ChartShape = "bars" | "line" | "dashed" | "dotted";

export interface ChartSeries {
  /** A word or two, for the legend, the tooltip and the table. */
  name: string;
  /** One value per point; null where there is no data. */
  values: readonly (number | null)[];
  tone: ChartTone;
  shape: ChartShape;
}

/** Something that happened at one moment, as a thin line with its name. */
export interface ChartMark {
  atMs: number;
  /** A few characters: `9f3c2d1`. */
  name: string;
  /** For those who do not see the line: `deploy 9f3c2d1`. */
  words: string;
}

/** The data of a chart: consecutive points of equal width. */
export interface ChartData {
  /** When the first begins, in milliseconds since the epoch. */
  fromMs: number;
  pointMs: number;
  /** Drawn in this order, so that the first is the furthest back. */
  series: readonly ChartSeries[];
  /** Oldest first, within the chart. */
  marks?: readonly ChartMark[];
}

export const DASHES = { bars: [], line: [], dashed: [6, 4], dotted: [1.5, 3.5] } as const satisfies Record<
  ChartShape,
  number[]
>;

export const pointsOf = ({ series }: ChartData): number => series[0]?.values.length ?? 0;

/** The words of the marks within a point. */
export const marksAt = ({ marks = [], fromMs, pointMs }: ChartData, index: number): string[] =>
  marks.filter(({ atMs }) => Math.floor((atMs - fromMs) / pointMs) === index).map(({ words }) => words);

export const isEmpty = ({ series }: ChartData): boolean =>
  series.every(({ values }) => values.every((value) => value === null || value === 0));
