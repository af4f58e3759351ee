import { isInTransaction } from "../database/transaction-id";
import { type Db, type OpenTransaction, type Statement, sqlState } from "../db";
import { withSealedOutput } from "../payloads";
import type { StepRecord } from "../workers/claim-record";
import type { Asked, KeptStep } from "./record";
import { INTO_STEP, UNLESS_KEPT } from "./upsert-step";

/*
 * The same guarantee as in record.ts, for one step alone: without arrays, a third of the time. For a flush of one or
 * two records, and for the checkpoint inside an app's own transaction.
 */
const keepText = (skipLocked: string, isAllowed = "true") => `
  with fence as (
    -- By the primary key alone: a condition on the owner would invite a walk over every owned run.
    select id, epoch = $2::bigint and worker_id is not null as holds,
      case when cancel_requested_at is not null then 'cancel' when pause_requested_at is not null then 'pause' end as asked
    from handrail.run where id = $1::uuid
    for no key update ${skipLocked}
  ), kept as (
    ${INTO_STEP}
    select id, $3, $4::int, $5, $6, $7, $8::int, $9::int, $10::int, $11::int, $12::int, $13::int, $14, $15, $16, $17::bool,
      $18, $19::bigint, clock_timestamp() - $20::float8 * interval '1 ms',
      case when $7 not in ('running', 'waiting') then clock_timestamp() end,
      coalesce($21::timestamptz, clock_timestamp() + $22::float8 * interval '1 ms'), $23, $24
    from fence where holds and ${isAllowed}
    ${UNLESS_KEPT}
    returning next_attempt_at
  )`;

const recordStepText = (skipLocked: string) => `${keepText(skipLocked)}
  select asked, exists (select from kept) as written,
    (select next_attempt_at::text from kept) as "dueAt",
    (select extract(epoch from next_attempt_at - clock_timestamp()) * 1000 from kept)::float8 as "dueInMs"
  from fence where holds`;

const IS_INSIDE = isInTransaction("$25");
/** Why a checkpoint is not written. */
const LOST = "handrail: the claim is lost";
const OUTSIDE = "handrail: another transaction";
const KEPT = "handrail: kept before";
const REFUSED = `case when not exists (select from fence where holds) then '${LOST}' when not ${IS_INSIDE} then '${OUTSIDE}'
  when not exists (select from kept) then '${KEPT}' end`;

const recordStepStatement: Statement = { name: "record-step", text: recordStepText("") };
const recordStepInsideStatement: Statement = {
  name: "record-step-inside",
  text: `${keepText("", IS_INSIDE)} select ${REFUSED} as refused`,
};
/** With a commit behind it, which must not be executed then: a text that is no number fails as one. */
const recordStepLastStatement: Statement = {
  name: "record-step-last",
  text: `${keepText("", IS_INSIDE)} select (${REFUSED})::int as refused`,
};
const recordStepIfFree: Statement = { name: "record-step-if-free", text: recordStepText("skip locked") };

interface StepReceipt extends KeptStep {
  asked: Asked | null;
  /** False: the outcome was kept before, and is unchanged. */
  written: boolean;
}

export interface StepToRecord {
  runId: string;
  epoch: number;
  step: StepRecord;
}

/** Waits for the lock on the run's row. Undefined: the claim is lost, nothing was written. */
export async function recordStep(db: Db, given: StepToRecord): Promise<StepReceipt | undefined> {
  const [receipt] = await db.query<StepReceipt>(recordStepStatement, stepValues(given));
  return receipt;
}

/**
 * The checkpoint of a transactional step, in the app's transaction, which commits with it where it can. `allowed`: whether that is still
 * the transaction that the engine began, by its id. Undefined: the claim is lost. Nothing was committed unless it was written.
 */
export async function recordStepInside(
  tx: OpenTransaction,
  transactionId: string,
  given: StepToRecord,
): Promise<{ allowed: boolean; written: boolean } | undefined> {
  const values = [...stepValues(given), transactionId];
  const answered = tx.queryAndCommit
    ? tx.queryAndCommit<Refusal>(recordStepLastStatement, values).catch(refusal)
    : tx.query<Refusal>(recordStepInsideStatement, values);
  const [answer] = await answered;
  const { refused } = answer as Refusal;
  return refused === LOST ? undefined : { allowed: refused !== OUTSIDE, written: refused === null };
}

type Refusal = { refused: string | null };

function refusal(error: unknown): Refusal[] {
  if (sqlState(error) !== NO_NUMBER) throw error;
  // Around it stands what the server says in its own language.
  const refused = [LOST, OUTSIDE, KEPT].find((text) => (error as Error).message.includes(text));
  if (refused === undefined) throw error;
  return [{ refused }];
}

const NO_NUMBER = "22P02";

/** Does not wait: undefined also when the run's row is locked. */
export async function tryRecordStep(db: Db, given: StepToRecord): Promise<StepReceipt | undefined> {
  const [receipt] = await db.query<StepReceipt>(recordStepIfFree, stepValues(given));
  return receipt;
}

function stepValues({ runId, epoch, step: given }: StepToRecord): unknown[] {
  const step = withSealedOutput(runId, given);
  const { next } = step;
  return [
    runId,
    epoch,
    step.name,
    step.generation,
    step.kind,
    step.effect,
    step.status,
    step.position,
    step.finishedPosition,
    step.attempt,
    step.failures,
    step.maxAttempts,
    step.keyGeneration,
    step.output,
    step.error,
    step.reference,
    step.canAsk,
    step.doubt,
    step.workerId,
    step.startedMsAgo,
    next && "at" in next ? next.at : null,
    next && "inMs" in next ? next.inMs : null,
    step.compensationMode,
    step.instructions,
  ];
}
