import { bucketsOf } from "../../engine/flow/time-buckets";
import type { Db } from "../../store/db";
import type { RunFilter } from "../../store/reads/run-filter";
import { countByTime } from "../../store/reads/run-histogram";
import { withCountedStarts } from "./counted-starts";
import { atInstants } from "./run-times";

const DAY_MS = 86_400_000;

/**
 * Start times of the runs that match a filter, over its window; without one, over the last day until its end or until
 * now.
 */
export async function readRunHistogram(db: Db, filter: RunFilter, nowMs = Date.now()) {
  const { createdAfter, createdBefore, ...rest } = atInstants(filter, nowMs);
  const untilMs = Math.min(createdBefore === undefined ? nowMs : Date.parse(createdBefore), nowMs);
  const fromMs = createdAfter === undefined ? untilMs - DAY_MS : Date.parse(createdAfter);
  const { widthMs, starts } = bucketsOf(fromMs, untilMs);
  const spans = starts.map((start) => ({
    fromMs: Math.max(start, fromMs),
    untilMs: Math.min(start + widthMs, untilMs),
  }));
  const found = spans.length > 0 ? await countByTime(db, rest, spans) : [];
  const rows = await withCountedStarts(db, found, spans, { filter: rest, widthMs, nowMs });
  return {
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    bucketMs: widthMs,
    buckets: rows.map(({ started, failed, started_more, failed_more }, index) => ({
      at: new Date(starts[index] as number).toISOString(),
      started,
      failed,
      startedMore: started_more,
      failedMore: failed_more,
    })),
    updatedAt: new Date(nowMs).toISOString(),
  };
}
