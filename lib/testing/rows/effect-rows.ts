import { v7 as uuidv7 } from "uuid";
import type { Effect, StepStatus } from "../../engine/steps/step";
import type { Db, Statement } from "../../store/db";
import { aRun } from "./a-run";

/** One execution of a step, in seconds of a past day, so that a test can define what overlapped. */
export interface GivenLane {
  step?: string;
  generation?: number;
  key?: number;
  kind?: "step" | "transaction";
  effect?: Effect;
  status: StepStatus;
  attempt?: number;
  reference?: string;
  from?: number;
  to?: number;
  supersededBy?: number;
  /** Attempts with separate rows: number, status, start. */
  attemptRows?: [number: number, status: "failed" | "unknown" | "interrupted", from: number][];
  undo?: "owed" | "completed";
}

export const DAY = "2026-01-02T00:00:00.000Z";
export const at = (second: number) => new Date(Date.parse(DAY) + second * 1_000).toISOString();

const ERROR = JSON.stringify({ name: "Error", message: "the line went dead" });

const insertLane: Statement = {
  name: "",
  text: `
    insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, max_attempts,
      key_generation, output, error, reference, worker_id, started_at, finished_at, next_attempt_at, superseded_by, next_key_generation)
    values ($1::uuid, $2, $3::int, $4, $5, $6, $7::int, case when $6 in ('completed', 'failed', 'skipped') then $7::int end, $8::int, 4,
      $9::int, 'null', case when $6 in ('failed', 'unknown') then $10 end, $11, 7, $12::timestamptz,
      case when $6 in ('completed', 'failed', 'skipped', 'unknown') then $13::timestamptz end,
      case when $6 = 'waiting' then $13::timestamptz end, $14::int, $14::int)`,
};

const insertAttempt: Statement = {
  name: "",
  text: `
    insert into handrail.attempt (run_id, step, generation, number, status, error, worker_id, started_at, finished_at)
    values ($1::uuid, $2, $3::int, $4::int, $5, $6, 7, $7::timestamptz, $7::timestamptz + interval '1 s')`,
};

const insertCompensation: Statement = {
  name: "",
  text: `
    insert into handrail.compensation (run_id, step, generation, mode, status, position, finished_at)
    values ($1::uuid, $2, $3::int, 'automatic', $4, 1, case when $4 = 'completed' then clock_timestamp() end)`,
};

const insertLoss: Statement = {
  name: "",
  text: "insert into handrail.lost_claim (run_id, epoch, worker_id, lost_at) values ($1::uuid, 0, 7, $2::timestamptz)",
};

export interface GivenHistory {
  id?: string;
  workflow?: string;
  status?: "completed" | "failed" | "cancelled" | "pending" | "waiting";
  lanes: GivenLane[];
  /** The second at which its claim was lost. */
  lostAt?: number;
}

let stored = 0;

/** On that day, each newer than the one before: lists read the clock in the id. */
const nextId = () => uuidv7({ msecs: Date.parse(DAY) + stored++ });

/** A run with exactly these steps. */
export async function storeHistory(db: Db, { id = nextId(), workflow, status = "completed", ...given }: GivenHistory) {
  const error = status === "failed" ? { error: ERROR, attention: "failed" as const } : {};
  const waiting = status === "waiting" ? { waiting: { kind: "retry" as const, step: "charge" } } : {};
  await aRun(db, { id, createdAt: new Date(DAY), ...(workflow && { workflow }) }).like({
    status,
    ...error,
    ...waiting,
    steps: [],
  });
  await db.query(
    { name: "", text: "update handrail.run set finished_at = finished_at + interval '1 hour' where id = $1::uuid" },
    [id],
  );
  for (const [index, lane] of given.lanes.entries()) await storeLane(db, id, index + 1, lane);
  if (given.lostAt !== undefined) await db.query(insertLoss, [id, at(given.lostAt)]);
  return id;
}

async function storeLane(db: Db, runId: string, position: number, lane: GivenLane): Promise<void> {
  const { step = "charge", generation = 1, from = 10, to = from + 2 } = lane;
  await db.query(insertLane, [
    ...[runId, step, generation, lane.kind ?? "step", lane.effect ?? "idempotent", lane.status, position],
    ...[lane.attempt ?? 1, lane.key ?? 1, ERROR, lane.reference ?? null, at(from), at(to), lane.supersededBy ?? null],
  ]);
  for (const [number, status, start] of lane.attemptRows ?? [])
    await db.query(insertAttempt, [runId, step, generation, number, status, ERROR, at(start)]);
  if (lane.undo) await db.query(insertCompensation, [runId, step, generation, lane.undo]);
}
