import { HandrailError } from "../engine/errors";
import { mayActOnProblem, type ProblemAct, type ProblemFacts } from "../engine/problems/problem";
import { personNamed } from "../store/access/people";
import type { Db } from "../store/db";
import {
  assignProblem,
  type LockedProblem,
  lockProblem,
  muteProblem,
  reopenProblem,
  resolveProblem,
} from "../store/problems/change-problem";
import { writeHistory } from "../store/problems/problem-history";
import { countWatched, deleteWatch, insertWatch, MOST_WATCHED, markSeen, watchesOf } from "../store/problems/watches";
import { type Attempt, audited } from "./audit/audited";
import type { Desk } from "./desk";
import { type ProblemDetail, readProblem, unknownProblem } from "./problem-view";

/** An action on a problem as an operator requests it. */
interface OnProblem {
  problemId: string;
  reason: string;
  /** The revision the operator saw; the action is refused if the problem has changed since. */
  revision?: number | undefined;
}

interface Assigning extends Omit<OnProblem, "reason"> {
  /** Null unassigns it. */
  assignee: string | null;
  reason?: string | undefined;
  /** Whether users sign in, and demo users can: then only a user can be the assignee. */
  signIn: boolean;
  inDemo: boolean;
}

/** @throws HandrailError as every action here; `not_allowed` for a name that cannot sign in */
export function assignAProblem(desk: Desk, { assignee, signIn, inDemo, reason, ...on }: Assigning) {
  const said =
    reason ?? (assignee === null ? "Given back." : assignee === desk.by.name ? "Taken." : `Given to ${assignee}.`);
  return carryOut(desk, "assign", { ...on, reason: said }, { assignee }, async (tx, { id }) => {
    const person = signIn && assignee !== null ? await personNamed(tx, assignee.toLowerCase(), inDemo) : null;
    if (person === undefined) throw new HandrailError("not_allowed", "No user with this name can sign in.");
    await assignProblem(tx, id, person?.name ?? assignee);
  });
}

/** Adds a note to the problem's history. */
export const noteOnProblem = (desk: Desk, on: OnProblem) => carryOut(desk, "note", on, {}, async () => undefined);

/** Until the mute expires, or so many more failures are counted, whichever comes first; permanently without either. */
export const muteAProblem = (
  desk: Desk,
  { forMs = null, failures = null, ...on }: OnProblem & { forMs?: number | null; failures?: number | null },
) => carryOut(desk, "mute", on, { forMs, failures }, (tx, { id }) => muteProblem(tx, id, { forMs, failures }));

/** The next failure reopens it; with `version`, the next one of this version of the code or a later one. */
export const resolveAProblem = (desk: Desk, { version = null, ...on }: OnProblem & { version?: number | null }) =>
  carryOut(desk, "resolve", on, { version }, (tx, { id }) => resolveProblem(tx, id, version));

export const reopenAProblem = (desk: Desk, on: OnProblem) =>
  carryOut(desk, "reopen", on, {}, (tx, { id }) => reopenProblem(tx, id));

/** From now on, the caller's lists mark it when it changes. */
export function watchAProblem(desk: Desk, problemId: string) {
  const owner = { id: watcherAt(desk), name: desk.by.name };
  return carryOut(desk, "watch", { problemId, reason: "Began to watch." }, {}, async (tx, { id }) => {
    if ((await countWatched(tx, owner.id)) >= MOST_WATCHED)
      throw new HandrailError("not_allowed", `You watch ${MOST_WATCHED} problems. Stop watching one first.`);
    await insertWatch(tx, id, owner);
  });
}

export function unwatchAProblem(desk: Desk, problemId: string) {
  const owner = watcherAt(desk);
  return carryOut(desk, "unwatch", { problemId, reason: "Stopped watching." }, {}, (tx, { id }) =>
    deleteWatch(tx, id, owner),
  );
}

/**
 * Takes the mark off, up to the entry of the history that the caller was shown. A note about what they have read, not an
 * action: it has no row in the audit log.
 */
export async function markProblemSeen(desk: Desk, problemId: string, entry: string): Promise<{ done: true }> {
  await markSeen(desk.db, problemId, watcherAt(desk), entry);
  return { done: true };
}

function watcherAt({ owner }: Desk): string {
  if (!owner) throw new HandrailError("unauthenticated", "Sign in first.");
  return owner;
}

/**
 * One action is one transaction: take the idempotency key, lock the problem, check the rule, change, write its history
 * and the audit log, keep the answer. @throws HandrailError `unknown_problem`, `changed`, `not_allowed`,
 * `idempotency_conflict`
 */
async function carryOut(
  desk: Desk,
  act: Exclude<ProblemAct, "probe" | "stop_probe">,
  { problemId, reason, revision }: OnProblem,
  details: object,
  change: (tx: Db, problem: LockedProblem) => Promise<unknown>,
): Promise<ProblemDetail> {
  const attempt: Attempt = { act: `problem_${act}`, runId: null, reason, details: { problemId, ...details } };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const before = await lockProblem(tx, problemId);
    if (!before) throw unknownProblem(problemId);
    Object.assign(attempt, { workflow: before.workflow, before: problemSnapshot(before) });
    const watching = desk.owner ? (await watchesOf(tx, desk.owner, [problemId])).length > 0 : false;
    checkProblemAct(act, before, { probing: false, watching, seen: revision });
    await change(tx, before);
    // Who watches is not what happened to the problem.
    if (act !== "watch" && act !== "unwatch")
      await writeHistory(tx, [{ problemId, what: act, by: desk.by.name, text: reason }]);
    const body = await readProblem(tx, problemId, desk.owner);
    await record(problemSnapshot(body));
    return { status: 200, body };
  });
  // Clients that show problems reload them; no run has changed.
  desk.notifier.changeAtOnce([body.example.runId]);
  return body;
}

/**
 * @param seen the revision that the operator saw
 * @throws HandrailError `changed`, `not_allowed`
 */
export function checkProblemAct(
  act: ProblemAct,
  { kind, status, open_runs: openRuns, revision }: LockedProblem,
  { probing, watching, seen }: Pick<ProblemFacts, "probing" | "watching"> & { seen: number | undefined },
): void {
  if (seen !== undefined && seen !== revision)
    throw new HandrailError("changed", "The problem has changed since you looked at it. Look again, then decide.", {
      revision,
    });
  const openness = mayActOnProblem(act, { kind, status, openRuns, probing, watching });
  if (!openness.open) throw new HandrailError("not_allowed", openness.because);
}

/** The problem's state as the audit log keeps it. */
export const problemSnapshot = ({
  status,
  assignee,
  revision,
}: Pick<LockedProblem, "status" | "assignee" | "revision">) => ({
  status,
  assignee,
  revision,
});
