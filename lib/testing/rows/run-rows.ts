import { v7 as uuidv7 } from "uuid";
import type { Attention, RunStatus, WaitKind } from "../../engine/runs/run";
import type { Effect, StepKind, StepStatus } from "../../engine/steps/step";
import type { Db, Statement } from "../../store/db";

export interface GivenStep {
  name: string;
  kind?: StepKind;
  effect?: Effect;
  status: StepStatus;
  /** Default: its index among the steps. */
  finishedPosition?: number;
  failures?: number;
  attempt?: number;
  output?: string;
  error?: string;
  canAsk?: boolean;
  compensation?: "automatic" | "manual";
  workerId?: number;
}

interface GivenCompensation {
  step: string;
  mode: "automatic" | "manual";
  status: "owed" | "running" | "completed" | "failed" | "waived";
  error?: string;
}

export interface GivenRun {
  status: RunStatus;
  attention?: Attention;
  failedStep?: string;
  error?: string;
  output?: string;
  waiting?: { kind: WaitKind; step: string; dueInMs?: number };
  workerId?: number;
  steps: GivenStep[];
  compensations?: GivenCompensation[];
}

export interface Identity {
  id?: string;
  workflow?: string;
  idempotencyKey?: string;
  tags?: Record<string, string>;
  createdAt?: Date;
  input?: string;
}

const insertWorker: Statement = {
  name: "",
  text: `
    insert into handrail.worker (name, workflows, concurrency, lease_expires_at, stopped_at)
    values ($1, $2::text[], 10, clock_timestamp() + $3::int * interval '1 ms', case when $4::boolean then clock_timestamp() end)
    returning id`,
};

/** Returns the worker's id. */
export async function aWorker(
  db: Db,
  { name = "worker-1", workflows = ["order-fulfilment"], leaseMs = 3_600_000, stopped = false } = {},
) {
  const [row] = await db.query<{ id: number }>(insertWorker, [name, workflows, leaseMs, stopped]);
  return (row as { id: number }).id;
}

const insertRun: Statement = {
  name: "",
  text: `
    with tagged as (
      insert into handrail.run_tag (name, value, run_id) select key, value, $1::uuid from jsonb_each_text($12::jsonb)
    )
    insert into handrail.run (id, workflow, version, status, attention, failed_step, input, output, error, worker_id,
      idempotency_key, tags, waiting_kind, waiting_step, waiting_since, due_at, epoch, created_at, started_at, finished_at, pause_requested_at)
    values ($1::uuid, $2, 1, $3, $4, $5, $6, $7, $8, $9::bigint, $11, $12::jsonb, $13, $14,
      case when $13::text is not null then clock_timestamp() end, clock_timestamp() + $15::float8 * interval '1 ms', 1,
      $10::timestamptz, case when $3 <> 'pending' then $10::timestamptz end,
      case when $3 in ('completed', 'failed', 'cancelled', 'compensated') then $10::timestamptz end,
      case when $3 = 'paused' then clock_timestamp() end)`,
};

const insertStep: Statement = {
  name: "",
  text: `
    insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt,
      failures, max_attempts, key_generation, output, error, can_ask, worker_id, started_at, finished_at, compensation_mode)
    values ($1::uuid, $2, 1, $14, $3, $4, $5::int, $6::int, $7::int, $8::int, 4, 1, $9, $10, $11, $12::bigint,
      clock_timestamp(), case when $4 <> 'running' then clock_timestamp() end, $13)`,
};

const insertCompensation: Statement = {
  name: "",
  text: `
    insert into handrail.compensation (run_id, step, generation, mode, status, position, error, instructions, finished_at)
    values ($1::uuid, $2, 1, $3, $4, $5::int, $6, 'Write to the customer.',
      case when $4 in ('completed', 'waived') then clock_timestamp() end)`,
};

export async function storeRun(db: Db, identity: Identity, run: GivenRun): Promise<string> {
  const {
    id = uuidv7(),
    workflow = "order-fulfilment",
    createdAt = new Date(),
    input = '{"orderId":"A-17"}',
  } = identity;
  const tags = identity.tags ?? { orderId: "A-17" };
  await db.transaction(async (tx) => {
    await tx.query(insertRun, [
      ...[id, workflow, run.status, run.attention ?? null, run.failedStep ?? null, input],
      ...[run.output ?? null, run.error ?? null, run.workerId ?? null, createdAt, identity.idempotencyKey ?? null],
      ...[JSON.stringify(tags), run.waiting?.kind ?? null, run.waiting?.step ?? null, run.waiting?.dueInMs ?? null],
    ]);
    for (const [index, step] of run.steps.entries()) await storeStep(tx, id, index + 1, step);
    for (const compensation of run.compensations ?? []) {
      const position = run.steps.findIndex(({ name }) => name === compensation.step) + 1;
      const { step, mode, status, error = null } = compensation;
      await tx.query(insertCompensation, [id, step, mode, status, position, error]);
    }
  });
  return id;
}

async function storeStep(tx: Db, runId: string, position: number, step: GivenStep): Promise<void> {
  const finished = ["completed", "failed", "skipped"].includes(step.status);
  await tx.query(insertStep, [
    ...[runId, step.name, step.effect ?? "idempotent", step.status, position],
    ...[finished ? (step.finishedPosition ?? position) : null, step.attempt ?? 1, step.failures ?? 0],
    ...[step.status === "completed" ? (step.output ?? "null") : null, step.error ?? null, step.canAsk ?? false],
    ...[step.workerId ?? null, step.compensation ?? null, step.kind ?? "step"],
  ]);
}
