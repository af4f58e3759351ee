/** Colours by meaning; `plot.ts` looks each up in the tokens of the theme that is on. */
export const CHART_TONES = {
  quiet: "--field",
  accent: "--accent",
  red: "--red",
  amber: "--amber",
  violet: "--violet",
  ink: "--ink-2",
} as const;
export type ChartTone = keyof typeof CHART_TONES;

/** Told apart without colour: bars, or a line of its own dashes. */
type ChartShape = "bars" | "line" | "dashed" | "dotted";

export interface ChartSeries {
  /** A word or two, for the legend, the tooltip and the table. */
  name: string;
  /** One a point; null where nothing tells. */
  values: readonly (number | null)[];
  tone: ChartTone;
  shape: ChartShape;
}

/** What a chart is drawn from: points of one width, one after the other. */
export interface ChartData {
  /** When the first begins, in milliseconds since the epoch. */
  fromMs: number;
  pointMs: number;
  /** Drawn in this order, so that the first is the furthest back. */
  series: readonly ChartSeries[];
}

export const DASHES = { bars: [], line: [], dashed: [6, 4], dotted: [1.5, 3.5] } as const satisfies Record<
  ChartShape,
  number[]
>;

export const pointsOf = ({ series }: ChartData): number => series[0]?.values.length ?? 0;

export const isEmpty = ({ series }: ChartData): boolean =>
  series.every(({ values }) => values.every((value) => value === null || value === 0));
