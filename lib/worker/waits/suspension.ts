import type { Attention, WaitKind } from "../../engine/runs/run";
import type { RunChange } from "../../store/workers/claim-record";
import type { Wait } from "./waits";

const ATTENTION_OF: Partial<Record<WaitKind, Attention>> = { operator: "outcome_unknown", approval: "approval" };

/**
 * Waits for a person come first, questions after unknown outcomes: lists must show them. Among timers, the earliest.
 */
export function suspension(waits: ReadonlyMap<string, Wait>): Extract<RunChange, { to: "waiting" }> {
  const all = [...waits].map(([step, wait]) => ({ step, ...wait }));
  const timed = all
    .filter((wait) => wait.dueInMs !== null)
    .sort((a, b) => (a.dueInMs as number) - (b.dueInMs as number));
  const ofKind = (kind: WaitKind) => all.find((wait) => wait.kind === kind);
  const shown = ofKind("operator") ?? ofKind("approval") ?? timed[0] ?? all[0];
  const { kind, step } = shown as NonNullable<typeof shown>;
  return {
    to: "waiting",
    kind,
    step,
    dueAt: timed[0]?.dueAt ?? null,
    attention: ATTENTION_OF[kind] ?? null,
  };
}
