import { HandrailError } from "../engine/errors";
import type { FourEyesAct } from "../engine/operations/four-eyes";
import type { OperatorAct } from "../engine/runs/operator-acts";
import type { Action } from "./action";
import { ACTIONS } from "./actions";

/** The declared action that requires a second person; null if none does. */
export function demandOf(
  declared: readonly FourEyesAct[],
  { act, params }: { act: OperatorAct; params: object },
): FourEyesAct | null {
  const { plan }: Action = ACTIONS[act];
  const kinds: string[] = plan?.countsAs?.(params) ?? [act];
  return declared.find((name) => kinds.includes(name)) ?? null;
}

/** Completes the sentence "… takes a second person". */
export const FOUR_EYES_WORDS = Object.assign(
  {},
  ...Object.values<Action>(ACTIONS).map(({ plan }) => plan?.fourEyes),
) as Record<FourEyesAct, string>;

/** For an action attempted without a second person. */
export const refusedAlone = (workflow: string, act: FourEyesAct) =>
  new HandrailError(
    "approval_required",
    `${FOUR_EYES_WORDS[act]} takes a second person in "${workflow}": its code says so. Plan it, and ask for an approval of the plan.`,
    { act, workflow },
  );
