import { WORDS } from "@/lib/actions/words";
import type { Plan, PlanItemView, PlanRequest } from "@/lib/api/contract/plans";
import { isRest } from "@/lib/engine/operations/plan-kinds";
import { formatCount, plural } from "@/lib/format";

type Counts = Plan["counts"];
type Params = Plan["params"];

/** The parameters of an action, as its plan accepts them. */
export type PlanParams = Record<string, string | number | boolean | undefined>;

export const runsText = (count: number) => plural(count, "run");

/**
 * A plan's summary in one sentence: "412 runs; 409 rerun from charge-payment, earlier results kept; 3 left out: …;
 * idempotency keys are kept."
 */
export function planSentence({ act, params, counts }: Pick<Plan, "act" | "params" | "counts">): string {
  const { happens, besides } = WORDS[act].plan;
  const parts = [runsText(counts.runs), ...happens(counts), ...leftOut(counts)];
  if (besides && counts.included > 0) parts.push(besides(params));
  return `${parts.join("; ")}.`;
}

/**
 * The parameters of the action in words, for a user who did not choose them: "outcome: waived · step: order-transfer".
 */
export const chosenText = (params: Params): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(" · ");

function leftOut({ leftOut: reasons, runs, included }: Counts): string[] {
  const out = runs - included;
  if (out === 0) return [];
  const [only, ...more] = reasons;
  const why =
    only && more.length === 0
      ? `: ${only.name.replace(/\.$/, "")}`
      : isRest(more.length)
        ? ` for more than ${more.length} reasons`
        : ` for ${plural(reasons.length, "reason")}`;
  return [`${formatCount(out)} left out${why}`];
}

/** Whether providers see new idempotency keys: those of a new run, or those that were asked for. */
export const usesFreshKeys = ({ act, params }: Pick<Plan, "act" | "params">): boolean =>
  act === "start_again" || params.freshKeys === true;

/** The word that has to be typed before this plan is executed; null if nothing irreversible is in it. */
export const wordToType = ({ act, params, counts }: Pick<Plan, "act" | "params" | "counts">): string | null =>
  WORDS[act].plan.wordToType?.(params, counts) ?? null;

/** Steps that some of these runs have reached, as choices for a rerun, in the order of their first occurrence. */
export function stepsToRerunFrom(items: Pick<PlanItemView, "keeps" | "again">[]): string[] {
  return [...new Set(items.flatMap(({ keeps, again }) => [...keeps.first, ...again.first]))];
}

/** The only workflow of a selection; null when there are several, or it is unknown. */
export function workflowOf(
  selection: PlanRequest["selection"],
  items: Pick<PlanItemView, "workflow">[] | undefined,
): string | null {
  const named = "filter" in selection ? selection.filter.workflow : undefined;
  const names = new Set(named && named.length > 0 ? named : items?.map(({ workflow }) => workflow));
  const [only, ...more] = names;
  return only !== undefined && more.length === 0 ? only : null;
}

export const MAX_PACE = { ratePerSecond: 1_000, canary: 1_000 };

/** As typed; null when it is not a whole number from `least` to `most`. */
export function wholeNumber(text: string, least: number, most: number): number | null {
  const value = Number(text);
  return text.trim() !== "" && Number.isInteger(value) && value >= least && value <= most ? value : null;
}
