import { z } from "zod";
import { isHandrailError } from "../../engine/errors";
import { OPERATIONS_KEPT_MS } from "../../engine/operations/operation";
import {
  judgeAgainIn,
  judgeTry,
  PROBE_STOPPED,
  PROBE_WORKFLOW,
  type ProbePoint,
  pauseAfter,
} from "../../engine/problems/probe";
import { keptFor } from "../../engine/runs/retention";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import type { WorkflowCode } from "../../engine/workflows/workflow-code";
import type { Db } from "../../store/db";
import { endProbe, endTry, type LockedProbe, lastTry, lockProbe, triedRuns } from "../../store/problems/probes";
import type { Desk } from "../desk";
import { lockCandidate } from "./candidates";
import { rerunCandidate } from "./start-probe";

/** The desk of the probe's own process; the actor is the operator who started it. */
export type ProbeDesk = Pick<Desk, "db" | "notifier" | "auditKeys"> & {
  code: WorkflowCode;
  /** Of the pauses between reruns. Default: pauseAfter. */
  pauseAfter?: (tries: number) => number;
  /** Called at each of the points; `detail` is the probe's id. For tests, whose workers die there. */
  at?: (point: ProbePoint, detail: string) => void | Promise<void>;
};

/**
 * The workflow that goes on with probes; every worker runs it beside the app's workflows. A probe's progress is in its rows, not
 * in the steps: a repeated step finds what the first one did. While it pauses it holds no worker.
 */
export function probeWorkflow(desk: ProbeDesk, keepMs: number | null = null): Workflow {
  return defineWorkflow(
    {
      name: PROBE_WORKFLOW,
      title: "Probe",
      input: z.strictObject({ probeId: z.uuid() }),
      retention: keptFor(keepMs ?? OPERATIONS_KEPT_MS),
      retry: { maxAttempts: 20, initialDelayMs: 500, factor: 2, maxDelayMs: 30_000 },
    },
    async (ctx, { probeId }) => {
      for (let turn = 1; ; turn++) {
        // Each turn is one transaction: a lost worker leaves no unknown outcome.
        const nextInMs = await ctx.step(`turn-${turn}`, () => takeTurn(desk, probeId), { effect: "pure" });
        if (nextInMs === null) return { probeId };
        await ctx.waitForEvent(`pause-${turn}`, { event: PROBE_STOPPED, timeout: nextInMs, default: null });
      }
    },
  );
}

interface Turn {
  /** Until the next turn; null: the probe has ended. */
  nextInMs: number | null;
  /** Runs whose pages change with it. */
  changed?: readonly string[];
}

const ENDED: Turn = { nextInMs: null };

/** Judges the rerun that is under way, or begins the next one. Returns the milliseconds until the next turn; null at the end. */
async function takeTurn(desk: ProbeDesk, probeId: string): Promise<number | null> {
  const { nextInMs, changed = [] } = await desk.db
    .transaction(async (tx) => {
      const turn = await turnOf(tx, desk, probeId);
      await desk.at?.("probe:before-commit", probeId);
      return turn;
    })
    .catch((error) => stopBecause(desk, probeId, error));
  await desk.at?.("probe:after-commit", probeId);
  if (changed.length > 0) {
    desk.notifier.changeAtOnce(changed);
    desk.notifier.work();
  }
  return nextInMs;
}

async function turnOf(tx: Db, desk: ProbeDesk, probeId: string): Promise<Turn> {
  const probe = await lockProbe(tx, probeId);
  if (probe?.status !== "running") return ENDED;
  const last = await lastTry(tx, probeId);
  if (!last) throw new Error(`Probe ${probeId} has no rerun: its first one is made with it.`);
  if (last.outcome !== null) return beginNext(tx, desk, probe, last.number + 1);
  const verdict = judgeTry({ ...last, problemId: last.problemId ?? undefined }, probe.problem_id);
  if (!verdict) return { nextInMs: judgeAgainIn(last.sinceMs) };
  const { outcome, because } = verdict;
  const isLast = last.number >= probe.most_tries;
  const nextInMs = outcome === "failed" && !isLast ? (desk.pauseAfter ?? pauseAfter)(last.number) : null;
  await endTry(tx, probeId, { outcome, because, pauseMs: nextInMs });
  const changed = [last.runId, ...pageOf(probe)];
  if (outcome === "through") await endProbe(tx, probeId, "through", null);
  else if (outcome !== "failed") await endProbe(tx, probeId, "stopped", because);
  else if (isLast) await endProbe(tx, probeId, "failed", allFailed(last.number));
  return { nextInMs, changed };
}

const allFailed = (reruns: number) => (reruns === 1 ? "The rerun failed again." : `All ${reruns} reruns failed again.`);

async function beginNext(tx: Db, desk: ProbeDesk, probe: LockedProbe, number: number): Promise<Turn> {
  const { id, problem_id: problemId, problem_status: status, by, reason, next_in_ms: nextInMs } = probe;
  if (nextInMs !== null && nextInMs > 0) return { nextInMs };
  const isOver = status === null || status === "resolved";
  const { candidate, because } = isOver
    ? { candidate: null, because: "The problem was resolved." }
    : await lockCandidate(tx, problemId, { tried: await triedRuns(tx, id) });
  if (!candidate) {
    await endProbe(tx, id, "stopped", because ?? "No affected run can be rerun.");
    return { ...ENDED, changed: pageOf(probe) };
  }
  const changed = await rerunCandidate(tx, { ...desk, by, request: null }, { id, reason, number }, candidate);
  return { nextInMs: judgeAgainIn(0), changed: [...changed, ...pageOf(probe)] };
}

const pageOf = ({ example_run_id: runId }: LockedProbe): string[] => (runId === null ? [] : [runId]);

/** The rerun was refused under the run's lock, and a retry would not help. Anything else is a failure of the database. */
async function stopBecause({ db }: ProbeDesk, probeId: string, error: unknown): Promise<Turn> {
  if (!isHandrailError(error)) throw error;
  await db.transaction(async (tx) => {
    const probe = await lockProbe(tx, probeId);
    if (probe?.status === "running") await endProbe(tx, probeId, "stopped", error.message);
  });
  return ENDED;
}
