import type { Bar } from "@/components/parts/charts/bars";
import type { RunHistogram } from "@/lib/api/contract/responses";
import { atLeast, formatDuration, plural } from "@/lib/format";
import { formatMoment, type TimeStyle } from "@/lib/format/times";

type Bucket = RunHistogram["buckets"][number];

/** "14:00: 12 started, 3 of them failed" */
const bucketWords = (bucket: Bucket, momentOf: (at: string) => string): string =>
  `${momentOf(bucket.at)}: ${atLeast(bucket.started, bucket.startedMore)} started, ${atLeast(bucket.failed, bucket.failedMore)} of them failed`;

/** Failures are at the bottom, where their height can be compared. */
export const barsOf = ({ buckets }: RunHistogram, momentOf: (at: string) => string): Bar[] =>
  buckets.map((bucket) => ({
    at: Date.parse(bucket.at),
    label: bucketWords(bucket, momentOf),
    parts: [
      { value: bucket.failed, tone: "red" },
      { value: Math.max(0, bucket.started - bucket.failed), tone: "quiet" },
    ],
  }));

/** "1,204 runs started, 12 of them failed; a bar is 15 min" */
export function histogramWords({ buckets, bucketMs }: RunHistogram): string {
  const sum = (of: (bucket: Bucket) => number) => buckets.reduce((all, bucket) => all + of(bucket), 0);
  const started = sum(({ started }) => started);
  const more = buckets.some(({ startedMore }) => startedMore);
  if (more && started === 0)
    return `No match among the runs checked; others may match. A bar is ${formatDuration(bucketMs)}`;
  const runs = more ? `${atLeast(started, true)} runs` : plural(started, "run");
  const failed = atLeast(
    sum(({ failed }) => failed),
    buckets.some(({ failedMore }) => failedMore),
  );
  return `${runs} started, ${failed} of them failed; a bar is ${formatDuration(bucketMs)}`;
}

/** The times of the bars between two, both included; the ends of the window where these come first. */
export function timesOf({ from, until, bucketMs, buckets }: RunHistogram, first: number, last: number) {
  const begins = Date.parse(buckets[first]?.at ?? from);
  const ends = Date.parse(buckets[last]?.at ?? until) + bucketMs;
  return {
    since: new Date(Math.max(begins, Date.parse(from))).toISOString(),
    until: new Date(Math.min(ends, Date.parse(until))).toISOString(),
  };
}

export const momentIn = (nowMs: number | null, times: TimeStyle) => (at: string) =>
  formatMoment(at, nowMs ?? Date.parse(at), times);
