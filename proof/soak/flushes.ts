/** Counts of a histogram of Prometheus, cumulative, by upper bound in milliseconds. */
export type Buckets = ReadonlyMap<number, number>;

const LINE = /^handrail_worker_flush_duration_seconds_bucket\{.*?le="([^"]+)".*?\} (\d+)/gm;

/** Of a worker's /metrics. */
export const bucketsOf = (metrics: string): Buckets =>
  new Map([...metrics.matchAll(LINE)].map(([, le, count]) => [boundOf(le as string), Number(count)]));

const boundOf = (le: string) => (le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le) * 1_000);

/** What came since an earlier answer of the same process. */
export const since = (before: Buckets | undefined, now: Buckets): Buckets =>
  new Map([...now].map(([bound, count]) => [bound, count - (before?.get(bound) ?? 0)]));

export function together(all: readonly Buckets[]): Buckets {
  const sum = new Map<number, number>();
  for (const [bound, count] of all.flatMap((one) => [...one])) sum.set(bound, (sum.get(bound) ?? 0) + count);
  return sum;
}

/** In milliseconds, evenly spread within a bucket, as Prometheus does; null without any. */
export function quantile(buckets: Buckets, share: number): number | null {
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total === 0) return null;
  const rank = share * total;
  let [below, counted] = [0, 0];
  for (const [bound, count] of sorted) {
    if (count >= rank) {
      if (!Number.isFinite(bound)) return below;
      return below + ((bound - below) * (rank - counted)) / (count - counted);
    }
    [below, counted] = [bound, count];
  }
  return below;
}
