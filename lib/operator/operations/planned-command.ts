import type { PlanFacts } from "../../engine/operations/plan";
import { concerned, type PlannedAct } from "../../engine/operations/planned-act";
import type { Workflow } from "../../engine/workflows/workflow";
import { cancelCommand } from "../actions/cancel";
import type { Command } from "../actions/command";
import { moveCommand } from "../actions/move-run";
import { rerunCommand } from "../actions/rerun";
import { pauseCommand, resumeCommand, wakeCommand } from "../actions/run-control";
import { sendEventCommand } from "../actions/send-event";
import { settleCommand } from "../actions/settle-step";
import { startAgainCommand } from "../actions/start-again";
import { compensateCommand, markCompensatedCommand } from "../compensations/compensate";

/** The code of a workflow known here, all its versions: given values have to fit it. */
export type DefinitionsOf = (workflow: string) => Promise<readonly Workflow[]>;

interface Setting {
  definitionsOf: DefinitionsOf;
  reason: string;
  by: string;
}

/**
 * The action on one of the plan's runs, the same as a single action. `facts`: the run as it is now.
 * @throws HandrailError for a given value that cannot be stored
 */
export async function plannedCommand(
  planned: PlannedAct,
  facts: PlanFacts,
  { definitionsOf, reason, by }: Setting,
): Promise<Command> {
  const { act, params } = planned;
  const of = { runId: facts.id, reason };
  // The rule was open, so there is one.
  const step = concerned(planned, facts)[0]?.name ?? "";
  switch (act) {
    case "rerun":
      return rerunCommand({ ...of, ...params });
    case "cancel":
      return cancelCommand(of);
    case "pause":
      return pauseCommand({ ...of, ...params });
    case "resume":
      return resumeCommand(of);
    case "wake":
      return wakeCommand({ ...of, ...params });
    case "settle":
      return settleCommand({ ...of, ...params, step: params.step ?? step });
    case "compensate":
      return compensateCommand(of);
    case "mark_compensated":
      return markCompensatedCommand({ ...params, runId: facts.id, note: reason, step: params.step ?? step }, by);
    case "send_event":
      return sendEventCommand(await definitionsOf(facts.workflow), { ...of, ...params }, by);
    case "move":
      return moveCommand({ ...of, ...params });
    case "start_again":
      return startAgainCommand(await definitionsOf(facts.workflow), { ...of, ...params });
  }
}
