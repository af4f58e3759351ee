import { HandrailError } from "../../engine/errors";
import { DEFAULT_TRIES, PROBE_STOPPED, pauseAfter } from "../../engine/problems/probe";
import type { Db } from "../../store/db";
import { sendEvent } from "../../store/events/send-event";
import { type LockedProblem, lockProblem } from "../../store/problems/change-problem";
import {
  endProbe,
  insertProbe,
  insertTry,
  type LockedProbe,
  lockRunningProbe,
  namesOfRun,
  runningProbe,
} from "../../store/problems/probes";
import { newPlanId } from "../../store/run-id";
import { workflowsOfProblem } from "../../store/workflows/workflows-of-targets";
import { type ActionDesk, carryOutIn } from "../actions/command";
import { type Attempt, audited, type WriteRow } from "../audit/audited";
import type { Desk } from "../desk";
import { type ProblemDetail, readProblem, unknownProblem } from "../problem-view";
import { checkProblemAct, problemSnapshot } from "../problems";
import { type Candidate, findCandidate, lockCandidate } from "./candidates";
import { NOT_DRIVEN } from "./probe-view";

interface OnProblem {
  problemId: string;
  reason: string;
  /** The revision the operator saw. */
  revision?: number | undefined;
}

interface Starting extends OnProblem {
  /** The run to rerun first, as the operator saw it; left out: one is chosen. */
  runId?: string | undefined;
  /** How many reruns at most. Default: DEFAULT_TRIES. */
  tries?: number | undefined;
}

/** What a probe of the problem would begin with, and how it would go on. @throws HandrailError `unknown_problem` */
export async function readProbeCandidate(db: Db, problemId: string) {
  if (!(await workflowsOfProblem(db, problemId))) throw unknownProblem(problemId);
  const { candidate, because } = await findCandidate(db, problemId, []);
  const pausesMs = Array.from({ length: DEFAULT_TRIES - 1 }, (_, index) => pauseAfter(index + 1));
  const item = candidate && { ...candidate.item, named: await namesOfRun(db, candidate.item.runId) };
  return { candidate: item, because, tries: DEFAULT_TRIES, pausesMs };
}

/**
 * Reruns one affected run now; a run of Handrail's own workflow judges it and goes on. One transaction, by the rule of every rerun.
 * @throws HandrailError `unknown_problem`, `changed`, `idempotency_conflict`; `not_allowed` where none can be rerun
 * without a decision, or a probe is under way
 */
export async function startProbe(
  desk: ActionDesk,
  { problemId, reason, runId, tries = DEFAULT_TRIES, revision }: Starting,
): Promise<ProblemDetail> {
  const attempt: Attempt = { act: "problem_probe", runId: null, reason, details: { problemId, tries } };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const earlier = await lockRunningProbe(tx, problemId);
    const { candidate, because } = await lockCandidate(tx, problemId, { runId });
    const problem = await lockKnownProblem(tx, problemId, attempt);
    const probing = earlier ? earlier.driven : await runningProbe(tx, problemId);
    checkProblemAct("probe", problem, { probing, watching: false, seen: revision });
    if (earlier) await endProbe(tx, earlier.id, "stopped", NOT_DRIVEN);
    if (!candidate) throw new HandrailError("not_allowed", because ?? "No affected run can be rerun.");
    const id = newPlanId();
    await insertProbe(tx, { id, problemId, by: desk.by, reason, mostTries: tries });
    await rerunCandidate(tx, desk, { id, reason, number: 1 }, candidate);
    return answerWith(tx, desk, problemId, record);
  });
  announce(desk, body);
  return body;
}

/** A rerun that is under way goes on; no other follows. @throws HandrailError `unknown_problem`, `changed`, `not_allowed` */
export async function stopProbe(desk: Desk, { problemId, reason, revision }: OnProblem): Promise<ProblemDetail> {
  const attempt: Attempt = { act: "problem_stop_probe", runId: null, reason, details: { problemId } };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const probe = await lockRunningProbe(tx, problemId);
    if (probe?.driven) await wake(tx, probe);
    const problem = await lockKnownProblem(tx, problemId, attempt);
    checkProblemAct("stop_probe", problem, { probing: probe !== undefined, watching: false, seen: revision });
    if (probe) await endProbe(tx, probe.id, "stopped", `Stopped by ${desk.by.name}: ${reason}`);
    return answerWith(tx, desk, problemId, record);
  });
  announce(desk, body);
  return body;
}

/** The transaction holds the probe and the run. Returns the runs that were changed. */
export async function rerunCandidate(
  tx: Db,
  desk: Omit<ActionDesk, "db">,
  probe: { id: string; reason: string; number: number },
  { item: { runId }, failedStep }: Candidate,
): Promise<string[]> {
  await insertTry(tx, probe.id, runId, failedStep);
  const reason = `Probe ${probe.number}: ${probe.reason}`;
  return carryOutIn(tx, desk, { act: "rerun", params: {}, runId, reason });
}

async function lockKnownProblem(tx: Db, problemId: string, attempt: Attempt): Promise<LockedProblem> {
  const problem = await lockProblem(tx, problemId);
  if (!problem) throw unknownProblem(problemId);
  Object.assign(attempt, { workflow: problem.workflow, before: problemSnapshot(problem) });
  return problem;
}

async function answerWith(tx: Db, { owner }: Desk, problemId: string, record: WriteRow) {
  const body = await readProblem(tx, problemId, owner);
  await record(problemSnapshot(body));
  return { status: 200, body };
}

/** Also for a repeated request: the first notification may have been lost with its process. */
function announce({ notifier }: Desk, { example, probe }: ProblemDetail): void {
  notifier.changeAtOnce([...new Set([example.runId, ...(probe?.tries.map(({ runId }) => runId) ?? [])])]);
  notifier.work();
}

/** Events are kept until they are taken. A run that has just ended needs none. */
async function wake(tx: Db, { run_id: runId }: LockedProbe): Promise<void> {
  const ofRun = { id: null, name: PROBE_STOPPED, runId, key: null, payload: "null", sentBy: null };
  await sendEvent(tx, ofRun).catch((error) => {
    if (!(error instanceof HandrailError)) throw error;
  });
}
