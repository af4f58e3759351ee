import { BUCKETS_PER_DOUBLING, beginOf } from "../../engine/flow/histogram";
import type { Family, MetricValue } from "./family";

/** Upper bounds in milliseconds, from 4 ms to 19 hours: bounds of stored buckets, so that no count is estimated. */
const BOUNDS_MS = Array.from({ length: 13 }, (_, place) => 4 ** (place + 1));

export interface Durations {
  labels: Record<string, string>;
  /** As stored: lib/engine/flow/histogram.ts. */
  held: readonly (readonly [bucket: number, count: number])[];
}

/** The sum is of the buckets' middles: off by 9.1 % at most. Counts are exact. */
export function durationFamily(name: string, help: string, all: readonly Durations[]): Family {
  return { name, help, type: "histogram", values: all.flatMap((one) => valuesOf(name, one)) };
}

function valuesOf(name: string, { labels, held }: Durations): MetricValue[] {
  const below = (boundMs: number) =>
    held.reduce((sum, [bucket, count]) => (beginOf(bucket + 1) <= boundMs ? sum + count : sum), 0);
  const total = held.reduce((sum, [, count]) => sum + count, 0);
  const sumMs = held.reduce((sum, [bucket, count]) => sum + count * middleOf(bucket), 0);
  return [
    ...BOUNDS_MS.map((boundMs) => ({
      value: below(boundMs),
      labels: { ...labels, le: String(boundMs / 1_000) },
      metricName: `${name}_bucket`,
    })),
    { value: total, labels: { ...labels, le: "+Inf" }, metricName: `${name}_bucket` },
    { value: sumMs / 1_000, labels, metricName: `${name}_sum` },
    { value: total, labels, metricName: `${name}_count` },
  ];
}

const middleOf = (bucket: number): number => (bucket === 0 ? 0.5 : beginOf(bucket) * 2 ** (0.5 / BUCKETS_PER_DOUBLING));
