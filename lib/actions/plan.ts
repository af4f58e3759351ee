import { canonical } from "../engine/audit/audit-chain";
import type { ItemOutcome } from "../engine/operations/operation";
import type { Named, PlanFacts, PlanItem, PlannedEffect, PlannedStepFacts } from "../engine/operations/plan";
import { type Openness, owesCompensation } from "../engine/runs/operator-acts";
import { stepIdempotencyKey } from "../engine/steps/idempotency-key";
import { KINDS_WITH_EFFECT } from "../engine/steps/step";
import { mayAct, type PlannedAct, planOf } from "./actions";
import { demandOf } from "./four-eyes";

/** Steps of each kind that an item names; the rest is only counted. */
const MAX_NAMED = 20;

/** The item of one run. Pure: the same facts give the same item, when it is planned and when it is executed. */
export function planItem(act: PlannedAct, run: PlanFacts, live: readonly number[]): PlanItem {
  const plan = planOf(act);
  const openness = mayActAsPlanned(act, run, live);
  const again = openness.open ? (plan.again?.(run, act.params) ?? []) : [];
  const stays = run.steps.filter((step) => !again.includes(step));
  const effects = plan.forgets ? [] : stays.filter(hasHappened);
  const repeats = again.filter((step) => hasHappened(step) || plan.mayHaveHappened?.(step));
  const unprotected = plan.freshKeys?.(act.params)
    ? repeats
    : repeats.filter(({ effect, kind }) => effect === "once" || kind === "transaction");
  const questions =
    again.length > 0 || plan.ignoresWaiting ? again : stays.filter(({ status }) => status === "waiting");
  const effectsOf = (steps: readonly PlannedStepFacts[]) => named(steps.map((step) => effectOf(run.id, step)));
  return {
    runId: run.id,
    workflow: run.workflow,
    revision: run.revision,
    generation: run.generation,
    included: openness.open,
    because: openness.open ? null : openness.because,
    about: effectsOf(openness.open ? aboutSteps(act, run) : []),
    keeps: named(stays.filter(({ status }) => status === "completed" || status === "skipped").map(nameOf)),
    again: named(again.map(nameOf)),
    stay: effectsOf(effects),
    repeats: effectsOf(repeats),
    unprotected: unprotected.length,
    owed: named(stays.filter(owesCompensation).map(nameOf)),
    uncompensated: named(plan.inAnotherRun ? [] : again.filter(owesCompensation).map(nameOf)),
    questions: named(questions.filter(({ kind }) => kind === "approval").map(nameOf)),
    split: openness.open ? (plan.split?.(effects, run) ?? null) : null,
    secondPerson: openness.open ? demandOf(run.fourEyes, act) : null,
  };
}

/** The rule of an action, for plan and execution. */
function mayActAsPlanned(act: PlannedAct, run: PlanFacts, live: readonly number[]): Openness {
  const openness = mayAct(act.act, run, act.params);
  return openness.open ? (planOf(act).needs?.(run, act.params, live) ?? openness) : openness;
}

/** The steps that an action resolves, compensates or ends the wait of. */
export const aboutSteps = (act: PlannedAct, run: PlanFacts): PlannedStepFacts[] =>
  planOf(act).about?.(run, act.params) ?? [];

const hasHappened = ({ status, kind, effect }: PlannedStepFacts) =>
  status === "completed" && (KINDS_WITH_EFFECT.includes(kind) || (kind === "step" && effect !== "pure"));

const nameOf = ({ name }: PlannedStepFacts) => name;

const effectOf = (runId: string, { name, effect, keyGeneration, reference }: PlannedStepFacts): PlannedEffect => ({
  step: name,
  effect,
  key: stepIdempotencyKey(runId, name, keyGeneration),
  reference,
});

const named = <Item>(all: readonly Item[]): Named<Item> => ({ count: all.length, first: all.slice(0, MAX_NAMED) });

export type Judgement = { outcome: "done" } | { outcome: Exclude<ItemOutcome, "done" | "failed">; because: string };

/** A run as it is now, under its lock: its facts, and the result of the plan's rule. */
export interface ItemNow {
  facts: PlanFacts;
  item: PlanItem;
}

/** Whether an item is executed, given its plan and the current state. `now` is null if the run no longer exists. */
export function judgeItem(act: PlannedAct, seen: PlanItem, now: ItemNow | null): Judgement {
  if (!now) return { outcome: "not_eligible", because: "The run no longer exists." };
  const moved = now.facts.revision !== seen.revision;
  if (moved && isDoneAlready(act, now.facts, seen))
    return { outcome: "already", because: `Already done: the run is ${now.facts.status}.` };
  if (!now.item.included) return { outcome: "not_eligible", because: now.item.because ?? "" };
  if (seen.secondPerson === null && now.item.secondPerson !== null)
    return { outcome: "changed", because: "Since the plan was made, its workflow requires a second person for this." };
  // Also at the same revision: a run's records do not raise it while a worker executes the run.
  const same = decidedOn(act, now.item) === decidedOn(act, seen);
  if (seen.secondPerson !== null && (moved || !same))
    return { outcome: "changed", because: "The run has changed since two people agreed on the plan." };
  if (!same)
    return {
      outcome: "changed",
      because: "The run has changed: the action would no longer do what was planned.",
    };
  return { outcome: "done" };
}

/** True if the run is already in the action's target state. */
export function isDoneAlready(act: PlannedAct, run: PlanFacts, { generation, about }: PlanItem): boolean {
  const steps = about.first.map(({ step }) => run.steps.find(({ name }) => name === step));
  return planOf(act).isDone?.(run, act.params, { generation, about: steps }) ?? false;
}

/** What a person approves in an item, as text to compare. */
export const decidedOn = (act: PlannedAct, item: PlanItem): string => canonical(planOf(act).decided(item));
