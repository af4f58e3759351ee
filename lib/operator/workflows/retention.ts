import type { Db } from "../../store/db";
import { listRetention, type RetentionRow } from "../../store/reads/retention";
import { REQUESTS_KEPT_MS } from "../../store/runs/retention";
import { asInstantOrNull } from "../values";

export async function readRetention(db: Db) {
  return {
    workflows: (await listRetention(db)).map(retentionView),
    requestsKeptMs: REQUESTS_KEPT_MS,
    updatedAt: new Date().toISOString(),
  };
}

const retentionView = ({ workflow, title, retention, due, next_at }: RetentionRow) => ({
  workflow,
  title,
  completedMs: retention.completedMs ?? null,
  failedMs: retention.failedMs ?? null,
  cancelledMs: retention.cancelledMs ?? null,
  compensatedMs: retention.compensatedMs ?? null,
  due,
  nextAt: asInstantOrNull(next_at),
});
