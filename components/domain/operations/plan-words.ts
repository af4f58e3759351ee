import type { Plan, PlanItemView, PlanRequest } from "@/lib/api/contract/plans";
import { formatCount, plural } from "@/lib/format";

type Counts = Plan["counts"];
type Params = Plan["params"];

/** The parameters of an action, as its plan accepts them. */
export type PlanParams = Record<string, string | number | boolean | undefined>;

/** Steps that the sentence names; further ones are counted. */
export const NAMED_STEPS = 3;

export const runsText = (count: number) => plural(count, "run");

/**
 * A plan's summary in one sentence: "412 runs; 409 rerun from charge-payment, results before it kept; 3 left out: …;
 * the key of each step stays the same."
 */
export function planSentence({ act, params, counts }: Pick<Plan, "act" | "params" | "counts">): string {
  const parts = [runsText(counts.runs), ...WHAT_HAPPENS[act](counts), ...leftOut(counts)];
  if (act === "rerun" && counts.included > 0) parts.push(keysOf(params));
  return `${parts.join("; ")}.`;
}

const WHAT_HAPPENS: Record<Plan["act"], (counts: Counts) => string[]> = {
  rerun: ({ again, goOn }) => {
    const [most, ...others] = again;
    const rest = others.reduce((sum, { count }) => sum + count, 0);
    return [
      ...(most ? [`${formatCount(most.count)} rerun from ${most.name}, results before it kept`] : []),
      ...(others.length < NAMED_STEPS ? others.map((one) => `${formatCount(one.count)} from ${one.name}`) : []),
      ...(others.length >= NAMED_STEPS ? [`${formatCount(rest)} from ${others.length} other steps`] : []),
      ...(goOn > 0 ? [`${formatCount(goOn)} go on behind their last step`] : []),
    ];
  },
  cancel: ({ included, split }) => [
    ...(included > 0 ? [`${formatCount(included)} end without finishing`] : []),
    ...(split && split.clean > 0 ? [`${formatCount(split.clean)} have done nothing that stays`] : []),
    ...(split && split.owes_compensation > 0
      ? [`${formatCount(split.owes_compensation)} owe their compensations`]
      : []),
    ...(split && split.past_undoing > 0 ? [`${formatCount(split.past_undoing)} are past undoing`] : []),
  ],
  pause: ({ included }) => (included > 0 ? [`${formatCount(included)} stop after what is in flight`] : []),
  resume: ({ included }) => (included > 0 ? [`${formatCount(included)} go on where they were`] : []),
  wake: ({ included }) => (included > 0 ? [`${formatCount(included)} wait no longer`] : []),
  settle: ({ included }) => (included > 0 ? [`${formatCount(included)} have their unknown steps settled`] : []),
  compensate: ({ included, owed }) =>
    included > 0 ? [`${formatCount(included)} have ${plural(owed, "step")} undone, last one first`] : [],
  mark_compensated: ({ included }) => (included > 0 ? [`${formatCount(included)} have an undo recorded`] : []),
  send_event: ({ included }) => (included > 0 ? [`${formatCount(included)} get the event`] : []),
  move: ({ included }) => (included > 0 ? [`${formatCount(included)} go on with this version alone`] : []),
  start_again: ({ included, effects }) => [
    ...(included > 0 ? [`${formatCount(included)} are started anew`] : []),
    ...(effects.repeat > 0 ? [`${plural(effects.repeat, "effect")} that happened will happen again`] : []),
  ],
};

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
    only && more.length === 0 ? `: ${only.name.replace(/\.$/, "")}` : ` for ${plural(reasons.length, "reason")}`;
  return [`${formatCount(out)} left out${why}`];
}

const keysOf = ({ freshKeys }: Params) =>
  freshKeys === true ? "receivers see keys that they do not know" : "the key of each step stays the same";

/** The word that has to be typed before this plan is executed; null if nothing irreversible is in it. */
export function wordToType({ act, params, counts }: Pick<Plan, "act" | "params" | "counts">): string | null {
  if (act === "rerun" && params.freshKeys === true) return "fresh keys";
  if (act === "start_again" && counts.effects.repeat > 0) return "again";
  if (act === "cancel" && counts.split !== null && counts.split.past_undoing > 0) return "cancel";
  return null;
}

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
