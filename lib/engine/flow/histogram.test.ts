import { describe, expect, it } from "vitest";
import {
  addHistogram,
  addToBucket,
  BUCKETS_PER_DOUBLING,
  beginOf,
  LAST_BUCKET,
  percentile,
  storedHistogram,
  totalOf,
} from "./histogram";

/** As the fold's statement computes it. */
const bucketOf = (ms: number) =>
  ms < 1 ? 0 : Math.min(Math.floor(Math.log2(ms) * BUCKETS_PER_DOUBLING) + 1, LAST_BUCKET);

function histogramOf(durations: readonly number[]): Map<number, number> {
  const histogram = new Map<number, number>();
  for (const ms of durations) addToBucket(histogram, bucketOf(ms), 1);
  return histogram;
}

/** Deterministic, from a millisecond to a month, most of them short. */
function durations(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return 2 ** ((state / 2_147_483_647) * 31);
  });
}

describe("a histogram", () => {
  it.each([0.01, 0.5, 0.95, 0.99, 0.999, 1])("gives the percentile %d within its error bound", (share) => {
    for (const count of [1, 2, 10, 999, 10_000]) {
      const given = durations(count, count).sort((a, b) => a - b);
      const exact = given[Math.ceil(count * share) - 1] as number;
      const estimate = percentile(histogramOf(given), share) as number;
      expect(Math.abs(estimate / exact - 1)).toBeLessThan(0.0906);
    }
  });

  it("of two periods is their sum, in either order", () => {
    const [first, second] = [durations(500, 7), durations(800, 11)];
    const one = histogramOf(first);
    addHistogram(one, storedHistogram(histogramOf(second)));
    const other = histogramOf(second);
    addHistogram(other, storedHistogram(histogramOf(first)));
    expect(storedHistogram(one)).toEqual(storedHistogram(histogramOf([...first, ...second])));
    expect(storedHistogram(other)).toEqual(storedHistogram(one));
    expect(totalOf(one)).toBe(1_300);
  });

  it("without values has no percentile, and is stored as null", () => {
    expect(percentile(new Map(), 0.5)).toBeNull();
    expect(storedHistogram(new Map([[3, 0]]))).toEqual({ buckets: [], counts: [] });
  });

  it("holds durations of zero and of infinity", () => {
    expect(bucketOf(0.2)).toBe(0);
    expect(bucketOf(1)).toBe(1);
    expect(bucketOf(1e18)).toBe(LAST_BUCKET);
    expect(percentile(histogramOf([0, 0, 0]), 0.99)).toBe(0.5);
  });

  it("has adjoining buckets", () => {
    for (let bucket = 1; bucket < LAST_BUCKET; bucket++) {
      expect(bucketOf(beginOf(bucket) * 1.0001)).toBe(bucket);
      expect(bucketOf(beginOf(bucket + 1) * 0.9999)).toBe(bucket);
    }
  });
});
