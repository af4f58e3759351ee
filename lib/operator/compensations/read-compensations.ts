import { laneOf, OPEN_LANES, type OpenLane } from "../../engine/compensations/compensation-board";
import { stepIdempotencyKey } from "../../engine/steps/idempotency-key";
import type { Db } from "../../store/db";
import {
  type BoardFilter,
  type BoardRow,
  type CompensationKey,
  countCompensations,
  listCompensations,
} from "../../store/reads/compensations";
import { decodeCursor, encodeCursor, isInstant } from "../cursor";
import type { Page } from "../runs/reads";
import { compensationView } from "../runs/step-view";
import { asInstantOrNull, asJsonOrNull } from "../values";

const DEFAULT_PAGE_SIZE = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const now = () => new Date().toISOString();

export async function readCompensations(db: Db, { cursor, limit = DEFAULT_PAGE_SIZE, ...filter }: BoardFilter & Page) {
  const after = cursor === undefined ? null : decodeCursor<CompensationKey>(cursor, isCompensationKey);
  const rows = await listCompensations(db, filter, { after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    compensations: shown.map(boardView),
    nextCursor: last ? encodeCursor([last.key_at, last.run_id, last.step, last.generation]) : null,
    updatedAt: now(),
  };
}

export async function readCompensationCounts(db: Db, filter: Omit<BoardFilter, "lane">, cap: number) {
  const rows = await countCompensations(db, filter, OPEN_LANES, cap + 1);
  const byLane = Object.fromEntries(rows.map(({ lane, count }) => [lane, Math.min(count, cap)]));
  return {
    byLane: byLane as Record<OpenLane, number>,
    capped: rows.some(({ count }) => count > cap),
    updatedAt: now(),
  };
}

const isCompensationKey = ([at, runId, step, generation]: unknown[]) =>
  isInstant(at) &&
  typeof runId === "string" &&
  UUID.test(runId) &&
  typeof step === "string" &&
  !step.includes("\0") &&
  Number.isInteger(generation);

const boardView = (row: BoardRow) => ({
  lane: laneOf(row),
  runId: row.run_id,
  workflow: row.workflow,
  version: row.version,
  title: row.title,
  tags: row.tags ?? {},
  runTitle: row.run_title,
  step: row.step,
  generation: row.generation,
  runRevision: row.run_revision,
  runStatus: row.run_status,
  effect: row.effect,
  stepFinishedAt: asInstantOrNull(row.step_finished_at),
  stepReference: row.step_reference,
  stepOutput: asJsonOrNull(row.step_output),
  stepSettled: row.step_settled,
  idempotencyKey: stepIdempotencyKey(row.run_id, row.step, row.key_generation),
  behind: row.status === "owed" && row.run_waiting_step !== row.step ? row.run_waiting_step : null,
  compensation: compensationView(row),
});
