import type { DrawnAttempt, DrawnStep } from "@/lib/api/contract/steps";
import type { DrawnRun } from "../lanes/lanes";
import { isWait } from "../lanes/step-segments";
import type { HistoryRun } from "./moments";

/** The run as it was at an instant, by its records: what had not begun is not there, what had not ended still ran. */
export function runAt(run: HistoryRun, atMs: number): DrawnRun {
  const had = (at: string | null) => at !== null && Date.parse(at) <= atMs;
  const audit = keep(run.audit, ({ at }) => had(at));
  const generations = audit.map(({ after }) => (after as { generation?: number } | null)?.generation ?? 1);
  const begun = run.steps.filter((step) => had(begunAt(step)));
  const generation = Math.max(1, ...generations, ...new Set(begun.map((step) => step.generation)));
  const lostClaims = keep(run.lostClaims, ({ at }) => had(at));
  return {
    ...{ createdAt: run.createdAt, version: run.version, audit, generation, lostClaims },
    versionChanges: keep(run.versionChanges, ({ at }) => had(at)),
    // The same list, if it can be: bars that do not change are known by it.
    drift: keep(run.drift, ({ at }) => had(at)),
    steps: begun.map((step) => stepAt(step, { atMs, generation, lostAt: lostClaims.map(({ at }) => Date.parse(at)) })),
  };
}

function keep<Item>(items: Item[], condition: (item: Item) => boolean): Item[] {
  return items.every(condition) ? items : items.filter(condition);
}

/** `startedAt` is that of its last attempt. */
const begunAt = ({ attempts, startedAt }: DrawnStep) => attempts[0]?.startedAt ?? startedAt;

interface Then {
  atMs: number;
  generation: number;
  lostAt: readonly number[];
}

/** The very same step where nothing of it came later. */
function stepAt(step: DrawnStep, then: Then): DrawnStep {
  const had = (at: string | null) => at !== null && Date.parse(at) <= then.atMs;
  const supersededBy = step.supersededBy !== null && step.supersededBy > then.generation ? null : step.supersededBy;
  const compensation = compensationAt(step.compensation, had);
  const ended = had(step.finishedAt);
  if (ended && supersededBy === step.supersededBy && compensation === step.compensation) return step;
  if (ended) return { ...step, supersededBy, compensation };
  const attempts = step.attempts.filter(({ startedAt }) => had(startedAt)).map((one) => attemptAt(one, step, then));
  const last = attempts.at(-1);
  return {
    ...step,
    ...{ supersededBy, compensation, attempts, error: null, finishedAt: null, status: statusOf(step, last) },
    ...{ attempt: last?.number ?? step.attempt, startedAt: last?.startedAt ?? step.startedAt },
  };
}

const statusOf = (step: DrawnStep, last: DrawnAttempt | undefined): DrawnStep["status"] => {
  if (isWait(step)) return "waiting";
  if (last?.status === "unknown") return "unknown";
  return last?.status === "failed" || last?.status === "interrupted" ? "waiting" : "running";
};

/** One without an end had run until its worker was found lost, or the next one began. */
function attemptAt(attempt: DrawnAttempt, step: DrawnStep, { atMs, lostAt }: Then): DrawnAttempt {
  const begunMs = Date.parse(attempt.startedAt);
  const next = step.attempts.find(({ number }) => number > attempt.number);
  const isOver =
    attempt.finishedAt === null
      ? lostAt.some((at) => at >= begunMs) || (next !== undefined && Date.parse(next.startedAt) <= atMs)
      : Date.parse(attempt.finishedAt) <= atMs;
  return isOver ? attempt : { ...attempt, status: "running", error: null, finishedAt: null };
}

function compensationAt(compensation: DrawnStep["compensation"], had: (at: string | null) => boolean) {
  const { owedAt, finishedAt } = compensation;
  if (owedAt === null) return compensation;
  if (!had(owedAt)) return { ...compensation, status: "none" as const, by: null, owedAt: null, finishedAt: null };
  return finishedAt === null || had(finishedAt)
    ? compensation
    : { ...compensation, status: "owed" as const, by: null, finishedAt: null };
}
