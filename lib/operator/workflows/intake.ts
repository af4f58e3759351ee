import { HandrailError } from "../../engine/errors";
import { type IntakeHolds, mayCloseIntake, mayOpenIntake } from "../../engine/queues/intake";
import type { Openness } from "../../engine/runs/operator-acts";
import type { Db } from "../../store/db";
import { type ClosedIntakeRow, lockIntake, setIntake } from "../../store/queues/intake";
import { type Attempt, audited } from "../audit/audited";
import type { Desk } from "../desk";
import { readWorkflow, type WorkflowView } from "./workflow-view";

interface IntakeAct {
  workflow: string;
  reason: string;
}

/**
 * After its answer, no pending run of the workflow begins; with `all`, runs that have begun stop at their next step,
 * too. New runs are still accepted.
 * @throws HandrailError `unknown_workflow`, `not_allowed` or `idempotency_conflict`; nothing is changed then
 */
export function closeIntake(desk: Desk, { holds = "new", ...act }: IntakeAct & { holds?: IntakeHolds | undefined }) {
  const { workflow, reason } = act;
  return change(desk, "close_intake", act, {
    isOpen: (closed) => mayCloseIntake(factsOf(closed), holds),
    set: (tx, before) =>
      setIntake(tx, workflow, { closing: { holds, by: desk.by.name, reason }, loosens: before?.holds === "all" }),
  });
}

/** Held runs continue, by priority and age, as fast as workers and limits allow. */
export function openIntake(desk: Desk, act: IntakeAct) {
  return change(desk, "open_intake", act, {
    isOpen: (closed) => mayOpenIntake(factsOf(closed)),
    set: (tx) => setIntake(tx, act.workflow, { closing: null, loosens: true }),
  });
}

const factsOf = (closed: ClosedIntakeRow | null) => closed && { holds: closed.holds, closedBy: closed.closed_by };

interface Change {
  isOpen: (closed: ClosedIntakeRow | null) => Openness;
  set: (tx: Db, before: ClosedIntakeRow | null) => Promise<void>;
}

async function change(desk: Desk, act: string, { workflow, reason }: IntakeAct, { isOpen, set }: Change) {
  const attempt: Attempt = { act, runId: null, workflow, reason };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const before = await lockIntake(tx, workflow);
    if (before === undefined)
      throw new HandrailError("unknown_workflow", `No worker has registered a workflow named "${workflow}".`);
    attempt.before = { holds: before?.holds ?? null };
    const openness = isOpen(before);
    if (!openness.open) throw new HandrailError("not_allowed", openness.because);
    await set(tx, before);
    const after: WorkflowView = await readWorkflow(tx, workflow);
    await record({ holds: after.intake?.holds ?? null });
    return { status: 200, body: after };
  });
  // After the commit: workers release held runs at once, or claim those that were held.
  desk.notifier.work();
  return body;
}
