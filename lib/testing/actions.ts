import type { ParamsOfAct } from "../actions/actions";
import { whyAssigned } from "../actions/assign";
import type { OperatorAct } from "../engine/runs/operator-acts";
import { codeHere, type WorkflowCode } from "../engine/workflows/workflow-code";
import { carryOut } from "../operator/actions/command";
import type { Desk } from "../operator/desk";

type Given<Act extends OperatorAct> = ParamsOfAct<Act> & {
  runId: string;
  reason: string;
  revision?: number | undefined;
};

/** Carries an action out on one run, as its endpoint does. */
const act =
  <Act extends OperatorAct>(name: Act) =>
  (desk: Desk & { code?: WorkflowCode }, { runId, reason, revision, ...params }: Given<Act>) =>
    carryOut(
      { code: codeHere([]), ...desk },
      { act: name, runId, reason, revision, params: params as ParamsOfAct<Act> },
    );

export const rerun = act("rerun");
export const pause = act("pause");
export const resume = act("resume");
export const wake = act("wake");
export const cancel = act("cancel");
export const compensate = act("compensate");
export const settleStep = act("settle");
export const startAgain = act("start_again");
export const sendEventToRun = act("send_event");
export const snooze = act("snooze");
export const erase = act("erase");

type Noted<Act extends OperatorAct> = Omit<Given<Act>, "reason">;

export const markCompensated = (desk: Desk, { note, ...given }: Noted<"mark_compensated"> & { note: string }) =>
  act("mark_compensated")(desk, { ...given, reason: note } as Given<"mark_compensated">);

export const answerApproval = (desk: Desk, given: Noted<"answer">) =>
  act("answer")(desk, { ...given, reason: given.note ?? given.choice } as Given<"answer">);

export type Assigning = Noted<"assign"> & { reason?: string };
export const assign = (desk: Desk, given: Assigning) =>
  act("assign")(desk, { reason: whyAssigned(given.assignee, desk.by.name), ...given } as Given<"assign">);
