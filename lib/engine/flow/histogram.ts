/**
 * Durations in buckets whose bounds grow by a fixed factor, so that histograms of any two periods can be added, and percentiles
 * taken of the sum. A percentile is off by less than 9.1 % of itself, whatever the durations are.
 */
export type Histogram = ReadonlyMap<number, number>;

/** A histogram as rows keep it: the buckets that hold anything, ascending, and how many each holds. */
interface StoredHistogram {
  buckets: number[];
  counts: number[];
}

/** Bucket 0 is for what took less than 1 ms, the last for 2^40 ms (34 years) and more. */
export const BUCKETS_PER_DOUBLING = 4;
export const LAST_BUCKET = 40 * BUCKETS_PER_DOUBLING + 1;

/** Where a bucket begins, in milliseconds: it holds what took that long or longer, up to the beginning of the next. */
export const beginOf = (bucket: number): number => (bucket === 0 ? 0 : 2 ** ((bucket - 1) / BUCKETS_PER_DOUBLING));

/** What stands for everything in it: the middle by ratio, so that no duration in it is further off than any other can be. */
const middleOf = (bucket: number): number => (bucket === 0 ? 0.5 : 2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING));

export function addToBucket(histogram: Map<number, number>, bucket: number, count: number): void {
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + count);
}

export function addHistogram(into: Map<number, number>, { buckets, counts }: StoredHistogram): void {
  for (const [place, bucket] of buckets.entries()) addToBucket(into, bucket, counts[place] ?? 0);
}

export function storedHistogram(histogram: Histogram): StoredHistogram {
  const held = [...histogram].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  return { buckets: held.map(([bucket]) => bucket), counts: held.map(([, count]) => count) };
}

export const totalOf = (histogram: Histogram): number => [...histogram.values()].reduce((sum, count) => sum + count, 0);

/**
 * The duration, in milliseconds, that this share of all are not longer than; null of nothing.
 * @param share above 0, 1 at the most
 */
export function percentile(histogram: Histogram, share: number): number | null {
  const total = totalOf(histogram);
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(total * share));
  for (const [bucket, count] of [...histogram].sort(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return middleOf(bucket);
  }
  return null;
}
