import type { ChartMark } from "@/components/parts/charts/chart-series";
import type { Deploy } from "@/lib/api/contract/deploys";

const LONGEST = 20;

/** Lines for a chart. */
export const marksOf = (deploys: readonly Deploy[]): ChartMark[] =>
  deploys.map(({ at, name }) => {
    const short = name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
    return { atMs: Date.parse(at), name: short, words: `deploy ${short}` };
  });
