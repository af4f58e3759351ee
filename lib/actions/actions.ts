import {
  closed,
  OPERATOR_ACTS,
  type Openness,
  type OperatorAct,
  type PlannedActName,
  type RunFacts,
} from "../engine/runs/operator-acts";
import type { Action, Given, ParamsOf, Plan } from "./action";
import { answer, asking, mayAnswer } from "./answer";
import { assign } from "./assign";
import { cancel } from "./cancel";
import { compensate } from "./compensate";
import { deleteRun } from "./delete";
import { erase } from "./erase";
import { markCompensated } from "./mark-compensated";
import { move } from "./move";
import { pause } from "./pause";
import { mayRerun, rerun } from "./rerun";
import { resume } from "./resume";
import { sendEvent } from "./send-event";
import { settle } from "./settle";
import { snooze } from "./snooze";
import { startAgain } from "./start-again";
import { wake } from "./wake";

/** Every action of operators on runs, one file each. Tables about actions are derived from it. */
export const ACTIONS = {
  rerun,
  pause,
  resume,
  wake,
  cancel,
  compensate,
  settle,
  mark_compensated: markCompensated,
  assign,
  answer,
  send_event: sendEvent,
  move,
  start_again: startAgain,
  snooze,
  delete: deleteRun,
  erase,
} satisfies Record<OperatorAct, Action> & Record<PlannedActName, Required<Pick<Action, "plan">>>;

type Half<Act extends OperatorAct> = (typeof ACTIONS)[Act];
/** The fields of an action's parameters. */
export type ShapeOf<Act extends OperatorAct> = ReturnType<Half<Act>["params"]>;
/** The parameters that its command takes. */
export type ParamsOfAct<Act extends OperatorAct> = Act extends OperatorAct
  ? CommandParams<Half<Act>["command"]>
  : never;
type CommandParams<Command> = Command extends (tools: never, given: Given<infer Params>) => unknown ? Params : object;

/** An action and its options, the same for every run of a plan. */
export type PlannedAct = {
  [Act in PlannedActName]: { act: Act; params: ParamsOf<Half<Act>["params"]> };
}[PlannedActName];

export const planOf = ({ act }: PlannedAct): Plan => ACTIONS[act].plan;

/** Actions that need nothing of a run's data. */
const NEED_NO_DATA: readonly OperatorAct[] = ["delete", "erase", "snooze"];

/** Whether an action is open: its own rule, for a run that has its data. */
export function mayAct(act: OperatorAct, run: RunFacts, params: object): Openness {
  const { rule }: Action = ACTIONS[act];
  return run.erased && !NEED_NO_DATA.includes(act)
    ? closed("The run's data was erased: it can only be deleted.")
    : rule(run, params);
}

/** The recommended next action, or null. */
export function primaryAct(run: RunFacts): OperatorAct | null {
  if (run.erased) return null;
  if (run.status === "failed" && mayRerun(run).open) return "rerun";
  if (run.steps.some((step) => step.status === "unknown") && run.status !== "running") return "settle";
  if (run.status === "compensating")
    return run.steps.some(
      (step) =>
        step.compensationStatus === "failed" ||
        (step.compensationStatus === "owed" && step.compensationMode === "manual"),
    )
      ? "mark_compensated"
      : null;
  if (run.status === "paused") return "resume";
  const question = asking(run);
  return question && mayAnswer(run, question.name).open ? "answer" : null;
}

/** Every action with its openness, for the page and for programs. */
export const actStates = (run: RunFacts): { act: OperatorAct; open: boolean; because: string | null }[] =>
  OPERATOR_ACTS.map((act) => {
    const { offered }: Action = ACTIONS[act];
    const state = offered && !run.erased ? offered(run) : mayAct(act, run, {});
    return { act, open: state.open, because: state.open ? null : state.because };
  });
