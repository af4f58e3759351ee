import type { Attention, WaitKind } from "../engine/run";
import type { AttemptStatus, Effect, StepKind, StepStatus } from "../engine/step";
import type { Db, Statement } from "./db";
import { INTO_STEP, UNLESS_KEPT } from "./upsert-step";

/** One thing that a claim has to say: kept whole, or not at all. */
export interface ClaimRecord {
  runId: string;
  epoch: number;
  step?: StepRecord;
  attempt?: AttemptRecord;
  run?: RunChange;
}

export interface StepRecord {
  name: string;
  generation: number;
  kind: StepKind;
  effect: Effect;
  status: StepStatus;
  position: number;
  finishedPosition: number | null;
  attempt: number;
  failures: number;
  maxAttempts: number;
  keyGeneration: number;
  output: string | null;
  error: string | null;
  reference: string | null;
  canAsk: boolean;
  doubt: string | null;
  workerId: number | null;
  startedMsAgo: number;
  /** For `waiting`: a delay from the database's now, or an instant as the database writes it. */
  next: { inMs: number } | { at: string } | null;
  compensationMode: "automatic" | "manual" | null;
  instructions: string | null;
}

/** An attempt that did not end in the step's kept outcome. */
export interface AttemptRecord {
  step: string;
  generation: number;
  number: number;
  status: Extract<AttemptStatus, "failed" | "unknown" | "interrupted">;
  error: string | null;
  workerId: number | null;
  startedMsAgo: number;
}

/** What the run becomes when its claim ends. */
export type RunChange =
  /** Asks for a person only if a step has an unknown outcome, such as the loser of a race; not looked for unless it `mayBeInDoubt`. */
  | { to: "completed"; output: string; mayBeInDoubt?: boolean }
  /** Asks for a person; also for the sake of a step with an unknown outcome, if there is one. */
  | { to: "failed"; error: string; failedStep: string | null; attention: Extract<Attention, "failed"> }
  /** Asks for a person only if a step has an unknown outcome. */
  | { to: "cancelled" }
  | { to: "waiting"; kind: WaitKind; step: string; dueAt: string | null; attention: Attention | null }
  | { to: "pending" };

/** What became of the records of one run in one flush. A run that is missing was fenced out, or its row was locked. */
export interface Receipt {
  cancelRequested: boolean;
  /** The waiting steps among them. */
  steps: Map<string, KeptStep>;
}

/** When a waiting step is due, as the database writes instants and as a delay from its now; null for other steps. */
export interface KeptStep {
  dueAt: string | null;
  dueInMs: number | null;
}

/*
 * Guarantee: either all of a record is kept or nothing, and nothing without the epoch of its claim: `fenced` locks the run's
 * row first, so a stale worker finds nothing to write under, and nobody takes the run over half-way. A kept outcome never
 * changes: the upsert touches only rows without one. Sending the same record again is harmless.
 * Races with: takeovers and operators' acts. With `skip locked`, rows they hold are left out, so that one run cannot hold up
 * the other runs of a flush; the caller sends the records left out alone, waiting (`recordAlone`).
 * Every join goes from the given arrays to a primary key: the one plan that is right for one record and for a thousand.
 */
const recordText = (skipLocked: string) => `
  with fenced as (
    select given.*, run.cancel_requested_at is not null as cancel_requested, run.epoch = given.claim_epoch and run.worker_id is not null as holds
    from unnest($1::uuid[], $2::bigint[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::int[], $9::int[],
      $10::int[], $11::int[], $12::int[], $13::int[], $14::text[], $15::text[], $16::text[], $17::bool[], $18::text[],
      $19::bigint[], $20::float8[], $21::timestamptz[], $22::float8[], $23::text[], $24::text[])
      as given (run_id, claim_epoch, name, generation, kind, effect, status, position, finished_position, attempt,
        failures, max_attempts, key_generation, output, error, reference, can_ask, doubt, worker_id, started_ms_ago,
        next_at, next_in_ms, compensation_mode, instructions)
    join handrail.run on run.id = given.run_id
    for no key update of run ${skipLocked}
  ), step_kept as (
    ${INTO_STEP}
    select run_id, name, generation, kind, effect, status, position, finished_position, attempt,
      failures, max_attempts, key_generation, output, error, reference, can_ask, doubt, worker_id,
      clock_timestamp() - started_ms_ago * interval '1 ms',
      case when status not in ('running', 'waiting') then clock_timestamp() end,
      coalesce(next_at, clock_timestamp() + next_in_ms * interval '1 ms'), compensation_mode, instructions
    from fenced where holds and name is not null
    ${UNLESS_KEPT}
    returning run_id, name, next_attempt_at
  ), attempt_kept as (
    insert into handrail.attempt (run_id, step, generation, number, status, error, worker_id, started_at, finished_at)
    select given.run_id, step, given.generation, number, given.status, given.error, given.worker_id,
      clock_timestamp() - given.started_ms_ago * interval '1 ms', clock_timestamp()
    from unnest($25::uuid[], $26::text[], $27::int[], $28::int[], $29::text[], $30::text[], $31::bigint[], $32::float8[])
      as given (run_id, step, generation, number, status, error, worker_id, started_ms_ago)
    where given.run_id in (select run_id from fenced where holds)
    on conflict do nothing
  ), change as (
    -- An operator who asked for the end while the pass came to rest gets it now: nobody works on a waiting run.
    select given.*, run.cancel_requested_at is not null and given.status in ('waiting', 'pending') as cancels,
      run.epoch = given.claim_epoch and run.worker_id is not null as holds
    from unnest($33::uuid[], $34::bigint[], $35::text[], $36::text[], $37::text[], $38::text[], $39::text[],
      $40::timestamptz[], $41::text[], $42::text[])
      as given (run_id, claim_epoch, status, output, error, failed_step, attention, due_at, waiting_kind, waiting_step)
    join handrail.run on run.id = given.run_id
    for no key update of run ${skipLocked}
  ), run_changed as (
    update handrail.run set
      status = case when cancels then 'cancelled' else change.status end,
      worker_id = null, revision = run.revision + 1, lost_claims = 0,
      output = change.output, error = change.error, failed_step = change.failed_step,
      attention = case when (change.status in ('failed', 'cancelled') or cancels or change.status = 'completed' and change.attention is not null)
          and exists (select from handrail.step
            where step.run_id = run.id and step.status = 'unknown' and step.superseded_by is null) then 'outcome_unknown'
        when not cancels and change.status <> 'completed' then change.attention end,
      due_at = case when change.status = 'waiting' and not cancels then least(change.due_at, run.deadline_at) end,
      waiting_kind = case when not cancels then change.waiting_kind end,
      waiting_step = case when not cancels then change.waiting_step end,
      waiting_since = case when change.waiting_kind is not null and not cancels then clock_timestamp() end,
      finished_at = case when change.status in ('completed', 'failed', 'cancelled') or cancels then clock_timestamp() end,
      cancel_requested_at = null
    from change where run.id = change.run_id and change.holds
  )
  select run_id::text as "runId", holds, cancel_requested as "cancelRequested", null as name, null as "dueAt", null::float8 as "dueInMs"
  from fenced
  union all
  select run_id::text, holds, false, null, null, null from change
  union all
  select run_id::text, true, false, name, next_attempt_at::text,
    (extract(epoch from next_attempt_at - clock_timestamp()) * 1000)::float8
  from step_kept where next_attempt_at is not null`;

const recordMany: Statement = { name: "record-many", text: recordText("skip locked") };
const recordOne: Statement = { name: "record-one", text: recordText("") };

/** Keeps the records of many runs in one statement and one commit. */
export function record(db: Db, records: readonly ClaimRecord[]): Promise<Map<string, Receipt>> {
  return send(db, recordMany, records);
}

/** Waits for whoever holds the run's row. A run that is missing from the answer has been fenced out for good. */
export function recordAlone(db: Db, records: readonly ClaimRecord[]): Promise<Map<string, Receipt>> {
  return send(db, recordOne, records);
}

interface AnswerRow extends KeptStep {
  runId: string;
  holds: boolean;
  cancelRequested: boolean;
  name: string | null;
}

async function send(db: Db, statement: Statement, records: readonly ClaimRecord[]): Promise<Map<string, Receipt>> {
  const rows = await db.query<AnswerRow>(statement, [
    ...stepColumns(records),
    ...attemptColumns(records),
    ...runColumns(records),
  ]);
  const receipts = new Map<string, Receipt>();
  for (const { runId, holds, cancelRequested, name, dueAt, dueInMs } of rows) {
    if (!holds) continue;
    const receipt = receipts.get(runId) ?? { cancelRequested: false, steps: new Map() };
    receipts.set(runId, receipt);
    if (cancelRequested) receipt.cancelRequested = true;
    if (name !== null) receipt.steps.set(name, { dueAt, dueInMs });
  }
  return receipts;
}

/** A record of an attempt alone stands here too, without a step: it needs the fence. */
function stepColumns(records: readonly ClaimRecord[]): unknown[][] {
  const given = records.filter(({ step, attempt }) => step !== undefined || attempt !== undefined);
  const column = <Value>(pick: (step: StepRecord) => Value) => given.map(({ step }) => (step ? pick(step) : null));
  return [
    given.map(({ runId }) => runId),
    given.map(({ epoch }) => epoch),
    column((step) => step.name),
    column((step) => step.generation),
    column((step) => step.kind),
    column((step) => step.effect),
    column((step) => step.status),
    column((step) => step.position),
    column((step) => step.finishedPosition),
    column((step) => step.attempt),
    column((step) => step.failures),
    column((step) => step.maxAttempts),
    column((step) => step.keyGeneration),
    column((step) => step.output),
    column((step) => step.error),
    column((step) => step.reference),
    column((step) => step.canAsk),
    column((step) => step.doubt),
    column((step) => step.workerId),
    column((step) => step.startedMsAgo),
    column(({ next }) => (next && "at" in next ? next.at : null)),
    column(({ next }) => (next && "inMs" in next ? next.inMs : null)),
    column((step) => step.compensationMode),
    column((step) => step.instructions),
  ];
}

function attemptColumns(records: readonly ClaimRecord[]): unknown[][] {
  const given = records.flatMap(({ runId, attempt }) => (attempt ? [{ runId, attempt }] : []));
  const column = <Value>(pick: (attempt: AttemptRecord) => Value) => given.map(({ attempt }) => pick(attempt));
  return [
    given.map(({ runId }) => runId),
    column((attempt) => attempt.step),
    column((attempt) => attempt.generation),
    column((attempt) => attempt.number),
    column((attempt) => attempt.status),
    column((attempt) => attempt.error),
    column((attempt) => attempt.workerId),
    column((attempt) => attempt.startedMsAgo),
  ];
}

function runColumns(records: readonly ClaimRecord[]): unknown[][] {
  const given = records.flatMap(({ runId, epoch, run }) => (run ? [{ runId, epoch, run }] : []));
  const column = <Value>(pick: (change: RunChange) => Value) => given.map(({ run }) => pick(run));
  return [
    given.map(({ runId }) => runId),
    given.map(({ epoch }) => epoch),
    column((change) => change.to),
    column((change) => (change.to === "completed" ? change.output : null)),
    column((change) => (change.to === "failed" ? change.error : null)),
    column((change) => (change.to === "failed" ? change.failedStep : null)),
    column(attentionOf),
    column((change) => (change.to === "waiting" ? change.dueAt : null)),
    column((change) => (change.to === "waiting" ? change.kind : null)),
    column((change) => (change.to === "waiting" ? change.step : null)),
  ];
}

function attentionOf(change: RunChange): Attention | null {
  if (change.to === "completed") return change.mayBeInDoubt ? "outcome_unknown" : null;
  return "attention" in change ? change.attention : null;
}
