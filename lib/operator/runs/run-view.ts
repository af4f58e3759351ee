import { actStates, primaryAct } from "../../actions/actions";
import type { Parts } from "../../engine/parts";
import { shownKey } from "../../engine/privacy/masked-tags";
import { isHeld } from "../../engine/queues/intake";
import { heldBy } from "../../engine/queues/queue";
import { type SummaryFacts, summarize } from "../../engine/runs/summary";
import type { ClosedIntakeRow } from "../../store/queues/intake";
import { MAX_CHILDREN_COUNTED, type RunDetailRow, type StandingRow } from "../../store/reads/run-detail";
import type { ListedRunRow } from "../../store/reads/run-list";
import type { RunQueueRow } from "../../store/reads/run-queue";
import type { CompensationRow, EventRow, Json, ProgressRow, RunRow, StepRow } from "../../store/rows";
import { factsOf } from "../actions/facts";
import { auditView } from "../audit/audit-view";
import {
  asBriefError,
  asError,
  asIdOrNull,
  asInstant,
  asInstantOrNull,
  asJson,
  asJsonInParts,
  asJsonOrNull,
  messageOf,
} from "../values";
import { intakeView } from "../workflows/workflow-view";
import { ancestorView, rootCauseView, tallyOf } from "./family-view";
import { stepView } from "./step-view";

export type RunView = ReturnType<typeof runView> extends Parts<infer View> ? View : never;

/** One run, as the contract's `Run`, made in parts: it may have thousands of steps. */
export function* runView(row: RunDetailRow) {
  const { run } = row;
  const versionChanges = row.version_changes.map(({ version, generation, at }) => ({
    version,
    generation,
    at: asInstant(at),
  }));
  const input = yield* asJsonInParts(run.input);
  const output = run.output === null ? null : yield* asJsonInParts(run.output);
  const steps = yield* stepViews(row, versionChanges);
  return {
    ...runFields(run, row, { input, output }),
    error: asError(run.error),
    ...(yield* standingView(row)),
    steps,
    stepsLeftOut: row.step_counts.total - steps.length,
    // A question and its answer belong to their step.
    events: row.events.filter(({ name }) => !name.startsWith("$")).map(eventView),
    audit: row.audit.map(auditView),
    lostClaims: row.lost_claims.map(({ worker_id, lost_at }) => ({
      workerId: String(worker_id),
      at: asInstant(lost_at),
    })),
    versionChanges,
    drift: row.drift.map(({ gone_count, at, generation, version, gone, next, stopped }) => ({
      ...{ generation, version, gone, goneCount: gone_count, next, stopped },
      at: asInstant(at),
    })),
    workerAvailable: row.worker_available,
    missingKey: row.missing_key,
    blobError: run.finished_at === null ? row.blob_error : null,
    owner: row.owner && {
      name: row.owner.name,
      status: row.owner.status,
      leaseExpiresAt: asInstant(row.owner.lease_expires_at),
    },
    queue: row.queue && queueView(row.queue),
    permits: row.permits.map(({ asks_at, ...permit }) => ({ ...permit, asksAt: asInstant(asks_at) })),
    erasedAt: asInstantOrNull(run.erased_at),
    pageOf: run.page_of,
    singleton: run.singleton_key === null ? null : { key: shownKey(run.singleton_key), heldBy: row.singleton_holder },
    headers: run.headers ?? {},
    begunBy: begunByView(run),
    beginBy: asInstantOrNull(run.begin_by),
    deadlineAt: asInstantOrNull(run.deadline_at),
    scheduledAt: asInstantOrNull(run.scheduled_at),
    startedFrom: row.started_from,
    startedAs: row.started_as,
    children: tallyOf(row.children, MAX_CHILDREN_COUNTED),
    ancestors: row.ancestors.map(ancestorView),
    rootCause: row.root_cause.cause && rootCauseView(row.root_cause.cause),
    rootCauseCapped: row.root_cause.capped,
  };
}

function* stepViews(row: RunDetailRow, versionChanges: readonly { version: number; at: string }[]) {
  const { run } = row;
  const attempts = byStep(row.attempts);
  const waits = byStep(row.waits);
  const compensations = byStep(row.compensations);
  const versionAt = (instant: string) =>
    versionChanges.findLast(({ at }) => Date.parse(at) <= Date.parse(instant))?.version ?? run.version;
  const views: ReturnType<typeof stepView>[] = [];
  for (const step of row.steps) {
    const key = keyOf(step.name, step.generation);
    const [compensation] = compensations.get(key) ?? [];
    const [wait] = waits.get(key) ?? [];
    views.push(stepView(run.id, step, attempts.get(key) ?? [], compensation, wait, versionAt));
    yield;
  }
  return views;
}

/** What the rules say about the run, by all of its current steps. */
function* standingView(row: RunDetailRow) {
  const { run, steps } = row;
  const standing: StandingRow[] = row.standing ?? steps.filter((step) => step.superseded_by === null);
  const compensations = byStep(row.compensations);
  const compensationOf = ({ name, generation }: StandingRow) => compensations.get(keyOf(name, generation))?.[0];
  const facts = factsOf(
    { ...run, singleton_holder: row.singleton_holder },
    standing.map((step) => ({ ...step, compensation_status: compensationOf(step)?.status ?? null })),
  );
  yield;
  const summary = summarize(summaryOfDetail(row, standing));
  yield;
  const acts = actStates(facts);
  yield;
  return { summary, acts, primaryAct: primaryAct(facts) };
}

const keyOf = (step: string, generation: number) => `${generation} ${step}`;

function byStep<Row extends { step: string; generation: number }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row.step, row.generation);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** Steps in the bar of a list. */
const BAR_LENGTH = 12;

/** One run in a list, as the contract's `RunListItem`. */
export function runListItemView(row: ListedRunRow) {
  // Not spread into a new object: a list has many of them, with forty fields each.
  return Object.assign(runFields(row, row, { input: asJson(row.input), output: asJsonOrNull(row.output) }), {
    error: asBriefError(row.error),
    summary: summarize(summaryOfListed(row)),
    stepBar: row.steps
      .slice(0, BAR_LENGTH)
      .map(({ name, status, attempt, max_attempts }) => ({ name, status, attempt, maxAttempts: max_attempts })),
    stepCount: row.step_count,
    queueKey: row.queue_key,
    workerName: row.worker_name,
  });
}

function runFields(
  run: RunRow,
  { title, progress, closed_intake }: Pick<ListedRunRow, "title" | "progress" | "closed_intake">,
  given: { input: Json; output: Json },
) {
  return {
    id: run.id,
    workflow: run.workflow,
    title,
    version: run.version,
    chosenVersion: run.chosen_version,
    codeVersion: run.code_version ?? run.version,
    status: run.status,
    waitingFor: waitingFor(run),
    attention: run.attention,
    ...given,
    failedStep: run.failed_step,
    tags: run.tags ?? {},
    runTitle: run.run_title,
    idempotencyKey: run.idempotency_key,
    priority: run.priority,
    parentRunId: run.parent_run_id,
    parentStep: run.parent_step,
    generation: run.generation,
    revision: run.revision,
    cancelRequestedAt: asInstantOrNull(run.cancel_requested_at),
    pauseRequestedAt: asInstantOrNull(run.pause_requested_at),
    pauseRoot: run.pause_root,
    runAt: run.status === "pending" ? asInstantOrNull(run.due_at) : null,
    workerId: asIdOrNull(run.worker_id),
    heldBy: intakeView(holderOf(run, closed_intake)),
    progress: progress && progressView(progress),
    createdAt: asInstant(run.created_at),
    startedAt: asInstantOrNull(run.started_at),
    finishedAt: asInstantOrNull(run.finished_at),
  };
}

/** The closed intake that holds the run. */
const holderOf = (run: RunRow, closed: ClosedIntakeRow | null) =>
  closed && isHeld({ status: run.status, begun: run.started_at !== null }, closed.holds) ? closed : null;

const progressView = ({ done, total, note, at }: ProgressRow) => ({ done, total, note, at: asInstant(at) });
const queueView = (row: RunQueueRow) => ({
  key: row.key,
  heldBy: heldBy(row),
  holding: row.holding,
  totalHolding: row.totalHolding,
  concurrency: row.concurrency,
  rate: row.rate,
  total: row.total,
  totalRate: row.totalRate,
  window: row.window,
  ahead: row.ahead,
  opensAt: asInstantOrNull(row.opens_at),
});

const waitingFor = (run: RunRow) =>
  run.waiting_kind && {
    kind: run.waiting_kind,
    step: run.waiting_step,
    since: asInstant(run.waiting_since ?? run.created_at),
    until: asInstantOrNull(run.due_at),
  };

const eventView = (event: EventRow) => ({
  name: event.name,
  id: event.id,
  key: event.key,
  payload: asJson(event.payload),
  sentBy: event.sent_by,
  sentAt: asInstant(event.sent_at),
  takenByStep: event.taken_step,
  takenAt: asInstantOrNull(event.taken_at),
  repeats: event.repeats,
  repeatedAt: asInstantOrNull(event.repeated_at),
});

/** In the key that keeps one event from starting two runs of a workflow, its id follows its name. */
const begunByView = ({ begun_by_event: name, idempotency_key, tags }: RunDetailRow["run"]) =>
  name === null
    ? null
    : { name, id: idempotency_key?.slice(`event:${name}:`.length) ?? "", key: tags?.eventKey ?? null };

const isDone = (step: Pick<StepRow, "status">) => step.status === "completed" || step.status === "skipped";

function summaryOfDetail(
  { run, worker_available, missing_key, blob_error, permits, closed_intake, compensations, step_counts }: RunDetailRow,
  standing: StandingRow[],
): SummaryFacts {
  const [lastDone] = standing
    .filter(({ status }) => status === "completed")
    .sort((a, b) => (b.finished_position ?? 0) - (a.finished_position ?? 0));
  return {
    ...summaryOfRun(run, worker_available, closed_intake),
    missingKey: missing_key,
    blobError: blob_error,
    limits: [...new Set(permits.map(({ limit }) => limit))],
    doneCount: step_counts.done,
    lastDone: lastDone?.name ?? null,
    skippedCount: step_counts.skipped,
    lastPosition: standing.at(-1)?.position ?? null,
    ...summaryOfParts(standing, compensations),
  };
}

function summaryOfListed(row: ListedRunRow): SummaryFacts {
  return Object.assign(
    summaryOfRun(row, row.worker_available, row.closed_intake),
    summaryOfParts(row.steps, row.compensations),
    {
      missingKey: null,
      blobError: null,
      limits: [],
      doneCount: row.done_count,
      lastDone: row.last_done,
      skippedCount: row.skipped_count,
      lastPosition: row.last_position,
    },
  );
}

const summaryOfRun = (run: RunRow, workerAvailable: boolean, closedIntake: ClosedIntakeRow | null) => ({
  status: run.status,
  cancelRequested: run.cancel_requested_at !== null,
  pauseRequested: run.pause_requested_at !== null,
  failedStep: run.failed_step,
  errorMessage: messageOf(run.error),
  waitingKind: run.waiting_kind,
  waitingStep: run.waiting_step,
  startsLater: run.due_at !== null && run.started_at === null,
  begun: run.started_at !== null,
  workerAvailable,
  chosenVersion: run.chosen_version,
  inQueue: run.queue_key !== null,
  held: holderOf(run, closedIntake) !== null,
});

type SummarySteps = readonly Pick<StepRow, "name" | "status" | "position" | "failures" | "error">[];
type SummaryCompensations = readonly Pick<CompensationRow, "step" | "mode" | "status" | "by" | "assignee" | "error">[];

const summaryOfParts = (steps: SummarySteps, compensations: SummaryCompensations) => ({
  unfinished: steps
    .filter((step) => !isDone(step))
    .map(({ error, ...step }) => ({ ...step, errorMessage: messageOf(error) })),
  compensations: compensations.map(({ error, ...compensation }) => ({
    ...compensation,
    errorMessage: messageOf(error),
  })),
});
