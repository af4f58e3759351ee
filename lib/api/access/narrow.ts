import { type Action, may, type Permissions, seesMasked, seesWorkflow } from "../../engine/access/permission";
import { HandrailError } from "../../engine/errors";
import type { ProblemDetail } from "../contract/problems";
import type { RunFilter } from "../contract/requests";
import type { Run } from "../contract/run";
import type { Schedule } from "../contract/schedules";

/** @throws HandrailError `forbidden` */
export function demand(asker: Permissions, action: Action, workflows: readonly string[] = []): void {
  const openness = may(asker, action, workflows);
  if (!openness.open) throw new HandrailError("forbidden", openness.because, { action });
}

/** Items of one workflow each, without those of workflows that the caller may not see. */
export const onlyVisible = <Item extends { workflow: string }>(asker: Permissions, items: Item[]): Item[] =>
  items.filter(({ workflow }) => seesWorkflow(asker, workflow));

type Acting =
  | Pick<Run, "workflow" | "acts">
  | Pick<Schedule, "workflow" | "acts">
  | Pick<ProblemDetail, "workflow" | "acts">;

/** An action that its rule allows and the caller's permission does not is closed, with the reason. */
export function ownActs<Of extends Acting>(
  asker: Permissions,
  of: "run" | "schedule" | "problem",
  { acts, workflow }: Of,
): Of["acts"] {
  return acts.map((state) => {
    const openness = may(asker, `${of}.${state.act}` as Action, [workflow]);
    return openness.open ? state : { ...state, open: false, because: openness.because };
  }) as Of["acts"];
}

/** A run with the actions that the caller may take, whether it was read or is the result of an action. */
export function withOwnActs(asker: Permissions, run: Run): Run {
  const acts = ownActs(asker, "run", run);
  const { primaryAct } = run;
  const isPermitted = primaryAct !== null && may(asker, `run.${primaryAct}`, [run.workflow]).open;
  return { ...run, acts, primaryAct: isPermitted ? primaryAct : null };
}

/** No workflow has an empty name. */
const NO_WORKFLOW = "";

/**
 * A list by workflow is narrowed in its query: filtering afterwards would leave empty pages and wrong counts. A list of
 * runs cannot search masked values unless the caller may see them.
 */
export function narrowed<Filter extends Pick<RunFilter, "workflow">>(
  asker: Permissions,
  filter: Filter,
  action: Action = "run.read",
): Filter {
  demand(asker, action, filter.workflow);
  const { workflows } = asker;
  // An empty list of workflows means all of them, like none.
  const all = (filter.workflow ?? []).length === 0;
  const own = all && workflows !== null ? { ...filter, workflow: namesOf(workflows) } : filter;
  return action === "run.read" ? sighted(asker, own) : own;
}

/** For a filter, in which an empty list would mean all workflows: a caller who is bound to none is shown nothing. */
const namesOf = (workflows: readonly string[]) => (workflows.length > 0 ? [...workflows] : [NO_WORKFLOW]);

/** The same filter without searching masked values, unless the caller may see them. */
export const sighted = <Filter extends object>(asker: Permissions, filter: Filter): Filter =>
  seesMasked(asker) ? filter : { ...filter, blind: true };
