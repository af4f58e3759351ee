/**
 * Durations in buckets whose bounds grow by a fixed factor, so that histograms of different periods can be added and
 * percentiles taken of the sum. The relative error of a percentile is below 9.1 %.
 */
export type Histogram = ReadonlyMap<number, number>;

/** A histogram as stored: the non-empty buckets, ascending, and their counts. */
interface StoredHistogram {
  buckets: number[];
  counts: number[];
}

/** Bucket 0 holds less than 1 ms, the last one 2^40 ms (34 years) and more. */
export const BUCKETS_PER_DOUBLING = 4;
export const LAST_BUCKET = 40 * BUCKETS_PER_DOUBLING + 1;

/** The inclusive lower bound of a bucket in milliseconds. The next bucket's lower bound is its exclusive end. */
export const beginOf = (bucket: number): number => (bucket === 0 ? 0 : 2 ** ((bucket - 1) / BUCKETS_PER_DOUBLING));

/** The value that represents a bucket: its geometric mean, which minimizes the largest relative error. */
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
 * The duration in milliseconds that this share of all durations do not exceed; null for an empty histogram.
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
