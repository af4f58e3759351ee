import { EFFECT_VERDICTS, type EffectVerdict } from "../../engine/steps/effect-verdict";
import { stepPattern } from "../../engine/steps/step-pattern";
import type { Db } from "../../store/db";
import { listLosses } from "../../store/reads/effects";
import { listOperationItems, selectOperation } from "../../store/reads/operations";
import { decodeCursor, encodeCursor } from "../cursor";
import type { EffectView } from "../effects/effect-view";
import { sourceOfRuns, walkEffects } from "../effects/walk-effects";
import { unknownOperation } from "./operation-view";

/** Steps counted by name in an answer; the effects of all others are counted together. */
const MOST_STEPS = 100;

interface StepProof {
  workflow: string;
  /** Without the numbers of a loop; null: all steps beyond the first hundred. */
  step: string | null;
  effects: number;
  /** Of these, those that happened: once or oftener by the record, or by the word of a person or the provider. */
  happened: number;
  /** Different idempotency keys under which something was sent. */
  keys: number;
  verdicts: Record<EffectVerdict, number>;
}

/**
 * What the effect ledger says about the runs that the operation repaired, step by step, `limit` items an answer:
 * the caller adds the answers up. @throws HandrailError `unknown_operation`
 */
export async function proveOperation(
  db: Db,
  operationId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
) {
  if (!(await selectOperation(db, operationId))) throw unknownOperation(operationId);
  const after = cursor === undefined ? 0 : decodeCursor<[number]>(cursor, ([last]) => Number.isSafeInteger(last))[0];
  const items = await listOperationItems(db, operationId, { others: false, after, limit: limit + 1 });
  const shown = items.slice(0, limit);
  const repaired = shown.filter(({ outcome }) => outcome === "done" || outcome === "already");
  const steps = new Map<string, StepProof>();
  if (repaired.length > 0) {
    const source = sourceOfRuns(repaired.map(({ run_id }) => run_id));
    for await (const { effects } of walkEffects(db, source, {})) for (const effect of effects) count(steps, effect);
  }
  const losses = await listLosses(
    db,
    repaired.filter(({ status }) => status !== null && status !== "completed").map(({ run_id }) => run_id),
  );
  const last = items.length > limit ? shown.at(-1) : undefined;
  return {
    runs: repaired.length,
    lostAtEnd: new Set(losses.filter(({ next_kept_at }) => next_kept_at === null).map(({ run_id }) => run_id)).size,
    steps: [...steps.values()],
    nextCursor: last ? encodeCursor([last.position]) : null,
  };
}

/** What is vouched for may be that it did not happen: then the step was not completed by it. */
const hasHappened = (verdict: EffectVerdict, generations: EffectView["generations"]): boolean =>
  verdict === "once" ||
  verdict === "same_key" ||
  verdict === "maybe_twice" ||
  (verdict === "vouched" && generations.some(({ status }) => status === "completed"));

function count(steps: Map<string, StepProof>, { workflow, step, verdict, generations }: EffectView): void {
  const pattern = steps.size < MOST_STEPS ? stepPattern(step) : null;
  const keyOf = (of: string | null) => JSON.stringify([workflow, of]);
  const known = steps.get(keyOf(stepPattern(step)));
  const proof = known ?? steps.get(keyOf(pattern)) ?? noneOf(workflow, pattern);
  steps.set(keyOf(proof.step), proof);
  proof.effects++;
  proof.verdicts[verdict]++;
  if (hasHappened(verdict, generations)) proof.happened++;
  const used = generations.filter(({ attemptCount }) => attemptCount > 0);
  proof.keys += new Set(used.map(({ idempotencyKey }) => idempotencyKey)).size;
}

const noneOf = (workflow: string, step: string | null): StepProof => ({
  workflow,
  step,
  effects: 0,
  happened: 0,
  keys: 0,
  verdicts: Object.fromEntries(EFFECT_VERDICTS.map((verdict) => [verdict, 0])) as Record<EffectVerdict, number>,
});
