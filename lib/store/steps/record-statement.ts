import type { Attention } from "../../engine/runs/run";
import type { Statement } from "../db";
import { type Column, givenRows, givenValues, literalOf } from "../given-rows";
import { storedHeaders } from "../runs/stored-headers";
import { storedTags } from "../tag-values";
import type { AttemptRecord, ChildRecord, ClaimRecord, RunChange, StepRecord } from "../workers/claim-record";
import { BECOMES_UNKNOWN, cutOff, keepCutOff, TO_BE_CUT_OFF, WORKER_LOST } from "./cut-off-steps";
import { LOG_COLUMNS, logRows, logsText, PROGRESS_COLUMNS, progressRows, progressText } from "./record-notes";
import { INTO_STEP, UNLESS_KEPT } from "./upsert-step";

type StepRow = Pick<ClaimRecord, "runId" | "epoch" | "step">;
type ChildRow = { runId: string; child: ChildRecord };
type AttemptRow = { runId: string; attempt: AttemptRecord };
type RunRow = Pick<ClaimRecord, "runId" | "epoch" | "trace"> & { run: RunChange };

/**
 * A record of an attempt, a line or progress also needs the fence, so its run is in the step arrays, too, without a
 * step.
 */
const ofStep =
  (pick: (step: StepRecord) => string | number | boolean | null): Column<StepRow>[2] =>
  ({ step }) =>
    step ? pick(step) : null;

const STEP_COLUMNS: readonly Column<StepRow>[] = [
  ["run_id", "uuid", ({ runId }) => runId],
  ["claim_epoch", "bigint", ({ epoch }) => epoch],
  ["name", "text", ofStep((step) => step.name)],
  ["generation", "int", ofStep((step) => step.generation)],
  ["kind", "text", ofStep((step) => step.kind)],
  ["effect", "text", ofStep((step) => step.effect)],
  ["status", "text", ofStep((step) => step.status)],
  ["position", "int", ofStep((step) => step.position)],
  ["finished_position", "int", ofStep((step) => step.finishedPosition)],
  ["attempt", "int", ofStep((step) => step.attempt)],
  ["failures", "int", ofStep((step) => step.failures)],
  ["max_attempts", "int", ofStep((step) => step.maxAttempts)],
  ["key_generation", "int", ofStep((step) => step.keyGeneration)],
  ["output", "text", ofStep((step) => step.output)],
  ["error", "text", ofStep((step) => step.error)],
  ["reference", "text", ofStep((step) => step.reference)],
  ["can_ask", "bool", ofStep((step) => step.canAsk || null)],
  ["doubt", "text", ofStep((step) => step.doubt)],
  ["worker_id", "bigint", ofStep((step) => step.workerId)],
  ["started_ms_ago", "float8", ofStep((step) => step.startedMsAgo)],
  ["next_at", "timestamptz", ofStep(({ next }) => (next && "at" in next ? next.at : null))],
  ["next_in_ms", "float8", ofStep(({ next }) => (next && "inMs" in next ? next.inMs : null))],
  ["compensation_mode", "text", ofStep((step) => step.compensationMode)],
  ["instructions", "text", ofStep((step) => step.instructions)],
];

const ATTEMPT_COLUMNS: readonly Column<AttemptRow>[] = [
  ["run_id", "uuid", ({ runId }) => runId],
  ["step", "text", ({ attempt }) => attempt.step],
  ["generation", "int", ({ attempt }) => attempt.generation],
  ["number", "int", ({ attempt }) => attempt.number],
  ["status", "text", ({ attempt }) => attempt.status],
  ["error", "text", ({ attempt }) => attempt.error],
  ["worker_id", "bigint", ({ attempt }) => attempt.workerId],
  ["started_ms_ago", "float8", ({ attempt }) => attempt.startedMsAgo],
];

const CHILD_COLUMNS: readonly Column<ChildRow>[] = [
  ["parent_run_id", "uuid", ({ runId }) => runId],
  ["id", "uuid", ({ child }) => child.id],
  ["workflow", "text", ({ child }) => child.workflow],
  ["version", "int", ({ child }) => child.version],
  ["input", "text", ({ child }) => child.input],
  ["tags", "jsonb", ({ child }) => storedTags(child.tags)],
  ["priority", "int", ({ child }) => child.priority || null],
  ["queue_key", "text", ({ child }) => child.queueKey],
  ["run_title", "text", ({ child }) => child.runTitle],
  ["step", "text", ({ child }) => child.step],
  ["key_generation", "int", ({ child }) => child.keyGeneration],
  ["ends_with_parent", "bool", ({ child }) => child.endsWithParent || null],
  ["tells_parent", "bool", ({ child }) => child.tellsParent || null],
  ["trace", "text", ({ child }) => child.trace ?? null],
  ["page_of", "text", ({ child }) => child.pageOf ?? null],
  ["headers", "jsonb", ({ child }) => storedHeaders(child)],
];

const RUN_COLUMNS: readonly Column<RunRow>[] = [
  ["run_id", "uuid", ({ runId }) => runId],
  ["claim_epoch", "bigint", ({ epoch }) => epoch],
  ["status", "text", ({ run }) => run.to],
  ["output", "text", ({ run }) => ("output" in run ? (run.output ?? null) : null)],
  ["error", "text", ({ run }) => ("error" in run && run.error) || null],
  ["failed_step", "text", ({ run }) => (run.to === "failed" ? run.failedStep : null)],
  ["attention", "text", ({ run }) => attentionOf(run)],
  ["due_at", "timestamptz", ({ run }) => (run.to === "waiting" ? run.dueAt : null)],
  ["waiting_kind", "text", ({ run }) => (run.to === "waiting" ? run.kind : null)],
  ["waiting_step", "text", ({ run }) => (run.to === "waiting" ? run.step : null)],
  ["claim_trace", "text", ({ trace }) => trace ?? null],
];

function attentionOf(change: RunChange): Attention | null {
  if (change.to === "completed") return change.mayBeInDoubt ? "outcome_unknown" : null;
  return "attention" in change ? change.attention : null;
}

/*
 * Guarantee: either all of a run's records are kept or none, and none without the epoch of its claim: `locked` locks the
 * run's row first, so a stale worker finds nothing to write under, and no takeover happens half-way. A kept outcome
 * never changes: the upsert touches only rows without one. Sending the same record again is harmless. Races with:
 * takeovers, operators' actions, and claims by others, which lock a run before they see that it is taken. With `skip locked`, rows they
 * hold are left out, so that one run cannot block the other runs of a flush; the caller sends the records left out alone, waiting
 * (`recordAlone`). Each run is locked once, not once for each of its records: a lock that is let go between two of them
 * would leave out the first, and its run would be in the answer. Parts that no record
 * needs are left out of the statement: setting them up would cost more than a few records do. Every lookup goes from the
 * given arrays to a primary key: the one plan that is right for one record and for a thousand.
 */
const LOCK = { "skip locked": "for no key update of run skip locked", wait: "for no key update of run" };
type Locked = keyof typeof LOCK;

/** An operator's request since the claim; a cancel comes before a pause. */
const ASKED =
  "case when run.cancel_requested_at is not null then 'cancel' when run.pause_requested_at is not null then 'pause' end as asked";

const HOLDS = "run.epoch = given.claim_epoch and run.worker_id is not null as holds";

/** Looked up by an array, as by `AMONG` in runs-by-id.ts. */
const RUN_IDS = "$1::uuid[]";

const lockedText = (locked: Locked) => `
  locked as (
    select run.id, run.epoch, run.worker_id, run.pause_root, run.cancel_requested_at, run.pause_requested_at
    from handrail.run where run.id = any (${RUN_IDS})
    ${LOCK[locked]}
  )`;

const stepsText = (first: number) => `
  fenced as (
    select given.*, run.pause_root, ${ASKED}, ${HOLDS}
    from ${givenRows(STEP_COLUMNS, first)}
    join locked as run on run.id = given.run_id
  ), step_kept as (
    ${INTO_STEP}
    select run_id, name, generation, kind, effect, status, position, finished_position, attempt,
      failures, max_attempts, key_generation, output, error, reference, coalesce(can_ask, false), doubt, worker_id,
      clock_timestamp() - started_ms_ago * interval '1 ms',
      case when status not in ('running', 'waiting') then clock_timestamp() end,
      coalesce(next_at, clock_timestamp() + next_in_ms * interval '1 ms'), compensation_mode, instructions
    from fenced where holds and name is not null
    ${UNLESS_KEPT}
    returning run_id, name, next_attempt_at
  )`;

const attemptsText = (first: number) => `
  attempt_kept as (
    insert into handrail.attempt (run_id, step, generation, number, status, error, worker_id, started_at, finished_at)
    select given.run_id, step, given.generation, number, given.status, given.error, given.worker_id,
      clock_timestamp() - given.started_ms_ago * interval '1 ms', clock_timestamp()
    from ${givenRows(ATTEMPT_COLUMNS, first)}
    where given.run_id in (select run_id from fenced where holds)
    on conflict do nothing
  )`;

// A child of a run that is to be cancelled is born with the same request: a later cancel of the parent finds it. A
// child of a run that is to be paused with its children is born paused. A page of a map is a part of its run: it has begun, and has the
// run's deadline, priority and chosen version.
const childrenText = (first: number) => `
  child_started as (
    insert into handrail.run (id, workflow, version, input, tags, priority, queue_key, run_title, parent_run_id, parent_step,
      parent_key_generation, ends_with_parent, tells_parent, cancel_requested_at, status, pause_requested_at, pause_root, trace, page_of, input_checked, headers,
      started_at, deadline_at, chosen_version)
    select given.id, given.workflow, given.version, given.input, nullif(given.tags, '{}'), coalesce(whole.priority, given.priority, 0),
      given.queue_key, given.run_title, given.parent_run_id, given.step, given.key_generation, coalesce(given.ends_with_parent, false),
      coalesce(given.tells_parent, false),
      case when given.ends_with_parent and exists (select from fenced
        where fenced.run_id = given.parent_run_id and fenced.asked = 'cancel') then clock_timestamp() end,
      case when held.root is null then 'pending' else 'paused' end,
      case when held.root is not null then clock_timestamp() end, held.root, given.trace, given.page_of, given.page_of is null, given.headers,
      case when whole.id is not null then clock_timestamp() end, whole.deadline_at, whole.chosen_version
    from ${givenRows(CHILD_COLUMNS, first)}
    left join lateral (select id, priority, deadline_at, chosen_version from handrail.run
      where run.id = given.parent_run_id and given.page_of is not null offset 0) as whole on true
    left join (select distinct run_id, pause_root as root from fenced where asked = 'pause' and pause_root is not null) as held
      on held.run_id = given.parent_run_id
    where given.parent_run_id in (select run_id from fenced where holds)
    on conflict do nothing
    returning id, tags
  ), child_tagged as (
    insert into handrail.run_tag (name, value, run_id)
    select tag.key, tag.value, child_started.id from child_started, jsonb_each_text(child_started.tags) tag
  )`;

/**
 * @param cuts whether steps are cut off where a run is cancelled. Their new state is foreseen: Postgres refuses to look again at
 * a row, such as one that a cancel request has just changed, by a condition that depends on another write of the statement.
 */
const runsText = (first: number, cuts: boolean) => `
  change as (
    -- An operator who asked for the end or a pause while the pass came to rest gets it now: nobody works on a waiting run.
    -- What it asked for is read here, under the lock: the update checks its row against the constraints as the statement's
    -- snapshot has it, before it notices that the row has changed since.
    select given.*, run.pause_requested_at, run.cancel_requested_at is not null and given.status in ('waiting', 'pending') as cancels,
      run.cancel_requested_at is null and run.pause_requested_at is not null and given.status in ('waiting', 'pending') as pauses, ${HOLDS}
    from ${givenRows(RUN_COLUMNS, first)}
    join locked as run on run.id = given.run_id
  ), run_changed as (
    update handrail.run set
      status = case when cancels then 'cancelled' when pauses then 'paused' else change.status end,
      worker_id = null, revision = run.revision + 1, lost_claims = 0,
      claim_trace = coalesce(change.claim_trace, run.claim_trace),
      output = change.output, error = change.error, failed_step = change.failed_step,
      attention = case when (change.status in ('failed', 'cancelled') or cancels or change.status = 'completed' and change.attention is not null)
          and exists (select from (select * from handrail.step where step.run_id = run.id offset 0) as step
            where (step.status = 'unknown' and step.superseded_by is null${cuts ? ` or cancels and ${BECOMES_UNKNOWN}` : ""})) then 'outcome_unknown'
        when not cancels and change.status <> 'completed' then change.attention end,
      waiting_kind = case when not cancels and not pauses then change.waiting_kind end,
      waiting_step = case when not cancels and not pauses then change.waiting_step end,
      waiting_since = case when change.waiting_kind is not null and not cancels and not pauses then clock_timestamp() end,
      -- What the run waits for may have come while it came to rest: then it is to look again.
      due_at = case when change.status = 'waiting' and not cancels and not pauses
        then least(change.due_at, run.deadline_at, case when run.woken_at is not null then clock_timestamp() end) end,
      woken_at = null,
      finished_at = case when change.status in ('completed', 'failed', 'cancelled') or cancels then clock_timestamp() end,
      cancel_requested_at = null,
      pause_requested_at = case when pauses then change.pause_requested_at end,
      pause_root = case when pauses then run.pause_root end
    from change where run.id = any (${RUN_IDS}) and run.id = change.run_id and change.holds
  )`;

/** A run that a cancel ends as it comes to rest gets no other pass. */
const cutsText = (error: `$${number}`) => `
  cut_off as (
    update handrail.step set ${cutOff(error)}
    from change where change.cancels and change.holds and step.run_id = change.run_id and ${TO_BE_CUT_OFF}
    returning step.*
  ), cut_off_kept as (${keepCutOff("cut_off", error)})`;

const mayCut = ({ run }: RunRow) => (run.to === "waiting" || run.to === "pending") && run.mayBeInDoubt === true;

// The runs are named only when some are left out: an answer of one row costs a flush of hundreds nothing.
function answerText(parts: readonly Part[], given: number): string {
  const fences = [...(parts.includes("steps") ? ["fenced"] : []), ...(parts.includes("runs") ? ["change"] : [])];
  const ofSteps = `
    (select json_object_agg(run_id, asked) from fenced where holds and asked is not null) as asked,
    (select json_agg(json_build_array(run_id, name, next_attempt_at::text,
        extract(epoch from next_attempt_at - clock_timestamp()) * 1000))
      from step_kept where next_attempt_at is not null) as waiting`;
  return `
  select
    case when ${fences.map((fence) => `(select count(*) from ${fence} where holds)`).join(" + ")} < $${given}::int
      then array(${fences.map((fence) => `select run_id::text from ${fence} where holds`).join(" union ")}) end as held,
    ${parts.includes("steps") ? ofSteps : "null::json as asked, null::json as waiting"}`;
}

type Part = "steps" | "attempts" | "children" | "runs" | "cuts" | "logs" | "progress";

function makeStatement(name: string, parts: readonly Part[], locked: Locked): Statement {
  // The first is RUN_IDS.
  let next = 2;
  const after = (columns: readonly unknown[]) => {
    const first = next;
    next += columns.length;
    return first;
  };
  const TEXT: Record<Part, () => string> = {
    steps: () => stepsText(after(STEP_COLUMNS)),
    attempts: () => attemptsText(after(ATTEMPT_COLUMNS)),
    children: () => childrenText(after(CHILD_COLUMNS)),
    runs: () => runsText(after(RUN_COLUMNS), parts.includes("cuts")),
    cuts: () => cutsText(`$${next++}`),
    logs: () => logsText(after(LOG_COLUMNS)),
    progress: () => progressText(after(PROGRESS_COLUMNS)),
  };
  const text = [lockedText(locked), ...parts.map((part) => TEXT[part]())].join(", ");
  return { name, text: `with ${text} ${answerText(parts, next)}` };
}

const made = new Map<string, Statement>();

function statementOf(parts: readonly Part[], locked: Locked): Statement {
  const name = `record-${locked === "wait" ? "one" : "many"}-${parts.join("-")}`;
  const statement = made.get(name) ?? makeStatement(name, parts, locked);
  made.set(name, statement);
  return statement;
}

/** The statement that keeps these records, and its values. Returns one row: see record.ts. */
export function recordStatement(
  records: readonly ClaimRecord[],
  locked: Locked,
): { statement: Statement; values: unknown[] } {
  const steps = records.filter(({ step, attempt, logs, progress }) => step ?? attempt ?? logs ?? progress);
  const attempts = records.filter((given): given is ClaimRecord & AttemptRow => given.attempt !== undefined);
  const children = records.filter((given): given is ClaimRecord & ChildRow => given.child !== undefined);
  const runs = records.filter((given): given is ClaimRecord & RunRow => given.run !== undefined);
  const parts: Part[] = [];
  const values: unknown[] = [literalOf([...new Set(records.map(({ runId }) => runId))])];
  const add = <Row>(part: Part, columns: readonly Column<Row>[], rows: readonly Row[]) => {
    if (rows.length === 0) return;
    parts.push(part);
    values.push(...givenValues(columns, rows));
  };
  add("steps", STEP_COLUMNS, steps);
  add("attempts", ATTEMPT_COLUMNS, attempts);
  add("children", CHILD_COLUMNS, children);
  add("runs", RUN_COLUMNS, runs);
  if (runs.some(mayCut)) {
    parts.push("cuts");
    values.push(WORKER_LOST);
  }
  add("logs", LOG_COLUMNS, logRows(records));
  add("progress", PROGRESS_COLUMNS, progressRows(records));
  return { statement: statementOf(parts, locked), values: [...values, steps.length + runs.length] };
}
