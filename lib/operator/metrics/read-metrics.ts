import { WAIT_KINDS } from "../../engine/runs/run";
import type { Db } from "../../store/db";
import {
  type Backlog,
  listMeteredSteps,
  listMeteredWorkflows,
  type MeteredWorkflow,
  type RunTotals,
  type StepTotals,
  selectAttention,
  selectBacklog,
  selectSystemGauges,
  selectWaiting,
} from "../../store/reads/metrics";
import { within } from "../health/database-pulse";
import { durationFamily } from "./durations";
import { counter, type Family, gauge, type MetricValue, single } from "./family";
import { readMonthTotals } from "./month-totals";

/** Workflows that are shown one by one, oldest first; a request names others. */
export const MAX_WORKFLOWS = 300;
/** Names of steps in all; those of a loop are one (`send-<n>`). */
export const MAX_STEPS = 500;
/** Counts of what waits, needs attention or is open stop there. */
const MAX_COUNTED = 10_000;
/** A backlog is counted for each workflow. */
const MAX_BACKLOG = 1_000;

/**
 * What the database knows, the same from each process that is asked.
 * @param only workflows to show one by one; null: the first MAX_WORKFLOWS
 * @param patienceMs counters are absent where the month's counts take longer to read, which they may once in a process
 */
export async function readMetrics(db: Db, only: readonly string[] | null, patienceMs: number): Promise<Family[]> {
  const workflows = await listMeteredWorkflows(db, only, MAX_WORKFLOWS);
  const names = workflows.map(({ name }) => name);
  const shown = workflows.filter(({ masked }: MeteredWorkflow) => !masked).map(({ name }) => name);
  const totals = listMeteredSteps(db, shown, MAX_STEPS).then((steps) => readMonthTotals(db, names, steps));
  const [counted, backlog, attention, waiting, system] = await Promise.all([
    within(totals, patienceMs, null),
    selectBacklog(db, names, MAX_BACKLOG),
    selectAttention(db, MAX_COUNTED),
    selectWaiting(db, MAX_COUNTED),
    selectSystemGauges(db, MAX_COUNTED),
  ]);
  const { runs, steps } = counted ?? { runs: [], steps: [] };
  return [...runFamilies(runs), ...stepFamilies(steps), ...backlogFamilies(backlog)]
    .concat([
      gauge(
        "handrail_runs_waiting",
        `Runs that wait, by what for (timer: they sleep); of the first ${MAX_COUNTED}`,
        WAIT_KINDS.map((reason) => ({
          value: waiting.find((one) => one.reason === reason)?.runs ?? 0,
          labels: { reason },
        })),
      ),
      gauge(
        "handrail_attention_runs",
        `Runs that need a person, by why; ${MAX_COUNTED} at most`,
        attention.map(({ attention, runs }) => ({ value: runs, labels: { attention } })),
      ),
      gauge(
        "handrail_attention_oldest_seconds",
        "Since the longest of them ended or began to wait",
        attention.flatMap(({ attention, oldestSeconds: value }) =>
          value === null ? [] : [{ value, labels: { attention } }],
        ),
      ),
    ])
    .concat(systemFamilies(system));
}

const OUTCOMES = ["completed", "failed", "cancelled", "compensated"] as const;

function runFamilies(rows: readonly RunTotals[]): Family[] {
  const labelled = (of: (row: RunTotals) => number) =>
    rows.map((row) => ({ value: of(row), labels: { workflow: row.workflow } }));
  const histogram = (of: "took" | "queued") =>
    rows.map((row) => ({ labels: { workflow: row.workflow }, held: row[of] }));
  return [
    counter(
      "handrail_runs_started_total",
      "Runs that were started",
      labelled(({ started }) => started),
    ),
    counter(
      "handrail_runs_ended_total",
      "Ends of runs; a run that was rerun has one each time",
      rows.flatMap((row) =>
        OUTCOMES.map((outcome) => ({ value: row[outcome], labels: { workflow: row.workflow, outcome } })),
      ),
    ),
    counter(
      "handrail_run_retries_total",
      "Attempts of steps beyond their first, of runs that ended",
      labelled(({ retries }) => retries),
    ),
    durationFamily(
      "handrail_run_duration_seconds",
      "From a run's first claim to its first end, completed or failed",
      histogram("took"),
    ),
    durationFamily("handrail_run_queue_seconds", "From a run's start to its first claim", histogram("queued")),
  ];
}

function stepFamilies(rows: readonly StepTotals[]): Family[] {
  const labels = ({ workflow, step }: StepTotals) => ({ workflow, step });
  const labelled = (of: (row: StepTotals) => number): MetricValue[] =>
    rows.map((row) => ({ value: of(row), labels: labels(row) }));
  return [
    counter(
      "handrail_step_executions_total",
      "Steps of runs that ended, empty for steps without a counted name",
      labelled(({ executions }) => executions),
    ),
    counter(
      "handrail_step_failures_total",
      "Of these, those that failed",
      labelled(({ failures }) => failures),
    ),
    counter(
      "handrail_step_retries_total",
      "Their attempts beyond the first",
      labelled(({ retries }) => retries),
    ),
    durationFamily(
      "handrail_step_duration_seconds",
      "From the begin of a step's last attempt to its outcome",
      rows.map((row) => ({ labels: labels(row), held: row.took })),
    ),
  ];
}

function backlogFamilies(rows: readonly Backlog[]): Family[] {
  return [
    gauge(
      "handrail_backlog_runs",
      `Runs that have not begun and could: ready for a worker, or queued for a turn within limits; ${MAX_BACKLOG} at most`,
      rows.flatMap(({ workflow, ready, queued }) => [
        { value: ready, labels: { workflow, state: "ready" } },
        { value: queued, labels: { workflow, state: "queued" } },
      ]),
    ),
    gauge(
      "handrail_backlog_oldest_seconds",
      "For how long the run that has been ready for a worker longest has waited; 0 without one",
      rows.map(({ workflow, oldestSeconds }) => ({ value: oldestSeconds ?? 0, labels: { workflow } })),
    ),
  ];
}

type System = Awaited<ReturnType<typeof selectSystemGauges>>;

function systemFamilies(system: System): Family[] {
  return [
    gauge("handrail_workers", "Workers by state; lost: silent beyond their lease, and not taken over", [
      { value: system.workersLive, labels: { state: "live" } },
      { value: system.workersStopping, labels: { state: "stopping" } },
      { value: system.workersLost, labels: { state: "lost" } },
    ]),
    single("handrail_worker_slots", "Runs that the live workers can execute at once", system.slots),
    single("handrail_worker_slots_used", "Runs that they execute, as of their last heartbeat", system.slotsUsed),
    single(
      "handrail_worker_heartbeat_age_seconds",
      "Since the last heartbeat of the live worker that was silent longest",
      system.heartbeatAgeSeconds,
    ),
    single("handrail_lost_claims", "Claims that workers lost within the last hour", system.lostClaims),
    single("handrail_compensations_open", "Compensations without an outcome", system.compensationsOpen),
    single(
      "handrail_compensation_oldest_seconds",
      "For how long the first of them has been owed; 0 without one",
      system.compensationOldestSeconds ?? 0,
    ),
    single("handrail_notices_waiting", "Notices that are due and not handed over", system.noticesWaiting),
    single(
      "handrail_notice_oldest_seconds",
      "For how long the first of them has been due; 0 without one",
      system.noticeOldestSeconds ?? 0,
    ),
    single(
      "handrail_deliveries_failed",
      "Notifications that were given up within the last hour",
      system.deliveriesFailed,
    ),
    single(
      "handrail_schedule_late_seconds",
      "For how long the first schedule to be looked at has been due; 0 without one",
      system.scheduleLateSeconds ?? 0,
    ),
    single(
      "handrail_blob_store_seconds",
      "For how long the first run that waits for the blob store has done so; 0 without one",
      system.blobStoreSeconds ?? 0,
    ),
    single("handrail_intakes_closed", "Workflows whose intake an operator has closed", system.intakesClosed),
    single(
      "handrail_counted_until_timestamp_seconds",
      "Counters and histograms hold everything before this instant",
      system.countedUntilSeconds,
    ),
  ];
}
