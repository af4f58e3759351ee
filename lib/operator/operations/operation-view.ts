import { HandrailError } from "../../engine/errors";
import { seenAs } from "../../engine/operations/operation";
import type { Db } from "../../store/db";
import {
  listOperationItems,
  listOperations,
  type OperationItemRow,
  type SeenOperationRow,
  selectOperation,
  standingOfRuns,
} from "../../store/reads/operations";
import { decodeCursor, encodeCursor } from "../cursor";
import type { Page } from "../runs/reads";
import { asInstant, asInstantOrNull } from "../values";

const DEFAULT_PAGE_SIZE = 50;

export type OperationView = ReturnType<typeof operationView>;

/** @throws HandrailError `unknown_operation` */
export async function readOperation(db: Db, operationId: string): Promise<OperationView> {
  const row = await selectOperation(db, operationId);
  if (!row) throw unknownOperation(operationId);
  return operationView(row);
}

/** With the current states of its runs: they go on after the operation has ended. */
export async function readOperationAndRuns(db: Db, operationId: string) {
  return { ...(await readOperation(db, operationId)), runs: await standingOfRuns(db, operationId) };
}

export const unknownOperation = (operationId: string) =>
  new HandrailError("unknown_operation", `There is no operation ${operationId}.`);

export async function readOperations(
  db: Db,
  { cursor, limit = DEFAULT_PAGE_SIZE, workflow = null }: Page & { workflow?: readonly string[] | null | undefined },
) {
  const before = cursor === undefined ? null : decodeCursor<[string]>(cursor, ([id]) => isUuid(id))[0];
  const rows = await listOperations(db, { before, limit: limit + 1, workflows: workflow });
  const operations = rows.slice(0, limit).map(operationView);
  const last = rows.length > limit ? operations.at(-1) : undefined;
  return { operations, nextCursor: last ? encodeCursor([last.id]) : null, updatedAt: new Date().toISOString() };
}

const isUuid = (value: unknown) =>
  typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

export async function readOperationItems(
  db: Db,
  operationId: string,
  { cursor, limit = DEFAULT_PAGE_SIZE, list = "all" }: Page & { list?: "all" | "others" | undefined },
) {
  const after = cursor === undefined ? 0 : decodeCursor<[number]>(cursor, ([last]) => Number.isSafeInteger(last))[0];
  const rows = await listOperationItems(db, operationId, { others: list === "others", after, limit: limit + 1 });
  const items = rows.slice(0, limit).map(itemView);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last ? encodeCursor([last.position]) : null };
}

export type OperationItemView = ReturnType<typeof itemView>;

const itemView = ({ position, run_id: runId, named, outcome, because, at, status, attention }: OperationItemRow) => ({
  position,
  runId,
  named,
  outcome,
  because,
  at: asInstant(at),
  run: status && { status, attention },
});

export function operationView(row: SeenOperationRow) {
  const { id, act, params, reason, canary, total, done, already, changed, failed } = row;
  const { status, stopped } = seenAs(row.status, row.run_status);
  return {
    id,
    planId: row.plan_id,
    runId: row.run_id,
    act,
    params,
    status,
    pausedBecause: stopped ?? row.paused_because,
    startedBy: row.by.name,
    workflows: row.workflows,
    reason,
    ratePerSecond: row.rate_per_second,
    canary,
    canaryPassedAt: asInstantOrNull(row.canary_passed_at),
    counts: { total, done, already, notEligible: row.not_eligible, changed, failed },
    createdAt: asInstant(row.created_at),
    finishedAt: asInstantOrNull(row.finished_at),
  };
}
