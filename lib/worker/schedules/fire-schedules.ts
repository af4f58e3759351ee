import type { AuditKeys } from "../../engine/audit/audit-keys";
import { isHandrailError } from "../../engine/errors";
import type { RunToStart } from "../../engine/runs/start";
import { decideOverlap, planFirings } from "../../engine/schedules/firing-plan";
import { effectiveSpec, type ScheduleSpec } from "../../engine/schedules/schedule";
import { prepareScheduledRun } from "../../engine/schedules/start-scheduled";
import type { Workflow } from "../../engine/workflows/workflow";
import { isTrouble } from "../../store/database/trouble";
import type { Db } from "../../store/db";
import {
  type ActiveRun,
  listActiveRuns,
  lockDueSchedules,
  moveSchedulesOn,
  type NextLook,
  nextLookInMs,
  queuedTimes,
} from "../../store/schedules/due-schedules";
import { boundWait, type Firing, isHeldBack, writeFirings } from "../../store/schedules/fire";
import type { LockedSchedule } from "../../store/schedules/schedule-rows";
import { tracedFirings } from "../../traces/tracing";
import { faultPoint } from "../fault-points";
import { cancelEarlierRun } from "./cancel-earlier-run";
import { FailedSchedules } from "./failed-schedules";

/** In one transaction, so that no schedule is held for long. */
const MAX_SCHEDULES_PER_ROUND = 100;
/** A firing that waits for the end of a run is checked this often. */
const QUEUED_LOOK_MS = 500;

/** After a round in which a schedule failed or another transaction held it back. */
const HELD_BACK_MS = 500;

/** The result of a round of firing. */
export interface FiringRound {
  started: string[];
  /** Runs that ended, or were asked to, because a later firing cancels them. */
  cancelled: string[];
  /** Until the next schedule is due, in milliseconds; null when there is none. */
  nextInMs: number | null;
}

/** The work of one schedule in a round. */
interface Doings {
  firings: Firing[];
  next: NextLook;
  cancel: string[];
}

/** What a round in one transaction did, and what is left to do after its commit. */
interface Written {
  started: string[];
  toCancel: { schedule: string; runId: string }[];
  nextInMs: number | null;
}

/**
 * Fires what is due by the database's clock, at most 100 schedules. Any number of workers may do so at once.
 * @param failed the schedules that this worker could not fire lately, which it leaves out
 */
export async function fireDueSchedules(
  db: Db,
  workerId: number,
  workflows: ReadonlyMap<string, Workflow>,
  auditKeys: AuditKeys,
  failed: FailedSchedules = new FailedSchedules(),
): Promise<FiringRound> {
  let due: LockedSchedule[] = [];
  const fire = (among: readonly string[] | null) =>
    db.transaction(async (tx) => {
      due = [];
      const except = failed.names();
      due = await lockDueSchedules(tx, workerId, MAX_SCHEDULES_PER_ROUND, { among, except });
      return { ...(await writeRound(tx, due, workflows)), nextInMs: await nextLookInMs(tx, workerId, except) };
    });
  const { toCancel, ...round } = await fire(null).catch((error: unknown) => {
    // With the database in trouble, each by itself would fail as well.
    if (due.length === 0 || isTrouble(error)) throw error;
    return fireApart(
      due.map(({ name }) => name),
      (name) => fire([name]),
      failed,
    );
  });
  await faultPoint("schedule:after-commit");
  // The firing that waits for their end is on record: the next round asks again if this process dies here.
  const cancelled: string[] = [];
  for (const { schedule, runId } of toCancel)
    await cancelEarlierRun(db, auditKeys, schedule, runId).then(
      () => cancelled.push(runId),
      (error: unknown) => {
        if (isTrouble(error)) throw error;
        failed.note(schedule, error);
      },
    );
  return {
    started: round.started,
    cancelled,
    nextInMs: sooner(round.nextInMs, failed.nextInMs()),
  };
}

async function writeRound(
  tx: Db,
  due: readonly LockedSchedule[],
  workflows: ReadonlyMap<string, Workflow>,
): Promise<Omit<Written, "nextInMs">> {
  if (due.length === 0) return { started: [], toCancel: [] };
  await faultPoint("schedule:before-fire");
  const active = await activeRunsOf(tx, due);
  const queued = await queuedTimes(
    tx,
    due.map(({ name }) => name),
  );
  const doings = await Promise.all(
    due.map((schedule) =>
      doingsOf(schedule, workflows.get(schedule.workflow) as Workflow, {
        active: active.get(schedule.name) ?? [],
        queuedAt: queued.get(schedule.name) ?? null,
      }),
    ),
  );
  const firings = doings.flatMap(({ firings }) => firings);
  if (firings.length > 0) await boundWait(tx);
  const started = await tracedFirings(firings, { unasked: true }, (traced) => writeFirings(tx, traced));
  await moveSchedulesOn(
    tx,
    doings.map(({ next }) => next),
  );
  await faultPoint("schedule:before-commit");
  const toCancel = doings.flatMap(({ next, cancel }) => cancel.map((runId) => ({ schedule: next.name, runId })));
  return { started, toCancel };
}

/** Each in a separate transaction: one that fails, or that another transaction holds back, stays due and delays no other. */
async function fireApart(
  names: readonly string[],
  fire: (name: string) => Promise<Written>,
  failed: FailedSchedules,
): Promise<Written> {
  const rounds: Written[] = [];
  for (const name of names) {
    const round = await fire(name).catch((error: unknown) => {
      if (isTrouble(error)) throw error;
      if (!isHeldBack(error)) failed.note(name, error);
      return undefined;
    });
    if (round) rounds.push(round);
  }
  const next = rounds.at(-1)?.nextInMs ?? null;
  return {
    started: rounds.flatMap(({ started }) => started),
    toCancel: rounds.flatMap(({ toCancel }) => toCancel),
    nextInMs: rounds.length === names.length ? next : Math.max(next ?? 0, HELD_BACK_MS),
  };
}

async function activeRunsOf(tx: Db, due: readonly LockedSchedule[]): Promise<Map<string, ActiveRun[]>> {
  const asking = due.filter(({ definition, override }) => effectiveSpec(definition, override).overlap !== "allow");
  const runs =
    asking.length > 0
      ? await listActiveRuns(
          tx,
          asking.map(({ name }) => name),
        )
      : [];
  const bySchedule = new Map(asking.map(({ name }) => [name, [] as ActiveRun[]]));
  for (const run of runs) bySchedule.get(run.schedule)?.push(run);
  return bySchedule;
}

async function doingsOf(
  schedule: LockedSchedule,
  workflow: Workflow,
  before: { active: ActiveRun[]; queuedAt: Date | null },
): Promise<Doings> {
  const { name, definition, override, now } = schedule;
  const spec = effectiveSpec(definition, override);
  const { fire, leftOut, next } = planFirings(spec, schedule.nominal_at as Date, now);
  const run = await prepared(workflow, name, spec);
  const firings: Firing[] = [];
  const write = (nominalAt: Date, rest: Pick<Firing, "status" | "reason">) =>
    firings.push({ schedule: name, nominalAt, cause: "time", ...rest });
  const start = (nominalAt: Date) =>
    firings.push({
      schedule: name,
      nominalAt,
      cause: "time",
      ...("run" in run ? { status: "started", run: run.run } : run),
    });

  const { active } = before;
  let busy = active.length > 0;
  let { queuedAt } = before;
  if (queuedAt && (!busy || spec.overlap === "allow")) {
    start(queuedAt);
    queuedAt = null;
    busy = spec.overlap !== "allow";
  }
  if (leftOut) write(leftOut.from, { status: "missed", reason: missedReason(spec, leftOut) });
  for (const time of fire) {
    const decision = decideOverlap(spec.overlap, busy, queuedAt !== null);
    if (decision === "start") {
      start(time);
      busy = spec.overlap !== "allow";
    } else if (decision === "skip") write(time, { status: "skipped", reason: SKIPPED[spec.overlap] });
    else {
      if (decision === "replace") write(queuedAt as Date, { status: "skipped", reason: REPLACED });
      write(time, { status: "queued" });
      queuedAt = time;
    }
  }
  return {
    firings: lastOfEachTime(firings),
    next: { name, nominalAt: next, lookAt: queuedAt ? earlier(next, new Date(now.getTime() + QUEUED_LOOK_MS)) : next },
    cancel:
      spec.overlap === "cancel" && queuedAt ? active.filter((run) => !run.cancelRequested).map(({ id }) => id) : [],
  };
}

/** With missed times and an edited overlap policy, a time may be queued and replaced in one round. */
const lastOfEachTime = (firings: readonly Firing[]) => [
  ...new Map(firings.map((firing) => [firing.nominalAt.getTime(), firing])).values(),
];

const earlier = (a: Date, b: Date) => (a < b ? a : b);
const sooner = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b));

const SKIPPED: Record<ScheduleSpec["overlap"], string> = {
  skip: "A run of an earlier time had not ended.",
  queue: "A run of an earlier time had not ended, and another time was already waiting for it.",
  allow: "",
  cancel: "",
};
const REPLACED = "A later time came before the earlier run had ended.";

const missedReason = ({ missed }: ScheduleSpec, { from, to }: { from: Date; to: Date }) =>
  `No worker fired this schedule ${
    from.getTime() === to.getTime() ? "then" : `from then to ${to.toISOString()}`
  }; its policy for missed times is "${missed}".`;

/** An input that no longer fits is shown with the firing; the schedule continues. */
async function prepared(
  workflow: Workflow,
  schedule: string,
  spec: ScheduleSpec,
): Promise<{ run: RunToStart } | { status: "refused"; reason: string }> {
  try {
    return { run: await prepareScheduledRun(workflow, schedule, spec) };
  } catch (error) {
    const reason = isHandrailError(error) ? error.message : `The input's check failed: ${(error as Error).message}`;
    return { status: "refused", reason };
  }
}
