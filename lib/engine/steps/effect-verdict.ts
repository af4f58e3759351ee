import { hasEnded, type RunStatus } from "../runs/run";
import type { Effect, StepStatus } from "./step";

/**
 * How often a step's effect happened, as far as the record shows; from best to worst.
 * - `never`: nothing was sent, or what was sent definitely failed.
 * - `once`: one attempt had it, and its outcome was recorded.
 * - `vouched`: a person or the provider supplied an outcome that was not recorded.
 * - `same_key`: sent more than once, with one idempotency key, which the provider counts once.
 * - `under_way`: an attempt runs or will run.
 * - `unknown`: an attempt may have had it.
 * - `maybe_twice`: sent again without protection against duplicates: with a fresh key, or for a step without one.
 */
export const EFFECT_VERDICTS = ["never", "once", "vouched", "same_key", "under_way", "unknown", "maybe_twice"] as const;
export type EffectVerdict = (typeof EFFECT_VERDICTS)[number];

export const VERDICT_SENTENCES: Record<EffectVerdict, string> = {
  never: "Did not happen: nothing was sent, or every attempt failed for certain.",
  once: "Happened once: one attempt had the effect, and its outcome is recorded.",
  vouched: "A person or the provider supplied the outcome; Handrail did not record it itself.",
  same_key: "May have been sent more than once, always with the same key: the provider counts it once.",
  under_way: "In progress, or waiting for a retry.",
  unknown: "May have happened. Check with the provider by its key.",
  maybe_twice: "May have happened twice: it was sent again, and no key protected the repetition. Look up every key.",
};

export const RUN_VERDICT_SENTENCES: Record<EffectVerdict, string> = {
  never: "Nothing happened: no effect reached a provider.",
  once: "Nothing happened twice: every effect has one recorded attempt that had it.",
  vouched: "Nothing happened twice, if the outcomes that people and providers supplied are right.",
  same_key: "Nothing happened twice where providers honour their keys: every repetition used the same one.",
  under_way: "Not final yet: some effects are in progress.",
  unknown: "Some effects may have happened; no outcome is recorded.",
  maybe_twice: "Something may have happened twice.",
};

/**
 * What protects a repetition. `key`: the provider honours the idempotency key. `commit`: the effect is rows of the
 * app's own database, which commit or roll back with the checkpoint. `nothing`: a step that must run once.
 */
type Protection = "key" | "commit" | "nothing";

export const protectionOf = (kind: "step" | "transaction", effect: Effect): Protection =>
  kind === "transaction" ? "commit" : effect === "once" ? "nothing" : "key";

/** One execution of the step: the first, or one of a repair generation. */
export interface LaneFacts {
  protection: Protection;
  keyGeneration: number;
  status: StepStatus;
  /** The kept outcome was not observed by an attempt of this lane: a person or the provider supplied it. */
  onWord: boolean;
  /** Attempts that ended without an outcome (`unknown`). */
  unknown: number;
  /** Attempts that were handed back while their body ran (`interrupted`). */
  interrupted: number;
  /**
   * A worker was lost before this lane's attempt, and may have begun the same step without a record: a short body's
   * start is not recorded beforehand.
   */
  unseen: boolean;
}

export interface EffectFacts {
  runStatus: RunStatus;
  /** A rerun superseded the last lane and has not reached the step again. */
  runsAgain: boolean;
  /** In order of their generations; the last one is the current state. */
  lanes: readonly LaneFacts[];
}

/** The counts of one lane. */
interface Sends {
  /** Attempts with a recorded outcome. */
  seen: number;
  /** Attempts that may have had the effect without a recorded outcome. */
  maybe: number;
  onWord: boolean;
}

export function judgeEffect({ runStatus, runsAgain, lanes }: EffectFacts): EffectVerdict {
  const sends = lanes.map((lane) => ({ ...sendsOf(lane), protectedBy: keyOf(lane) }));
  const happened = sends.filter(({ seen, maybe }) => seen + maybe > 0);
  const keys = new Set(happened.map(({ protectedBy }, index) => protectedBy ?? `alone ${index}`));
  if (keys.size > 1) return "maybe_twice";
  const seen = sum(sends, ({ seen }) => seen);
  const maybe = sum(sends, ({ maybe }) => maybe);
  const onWord = sends.some((one) => one.onWord);
  const status = lanes.at(-1)?.status;
  if (!hasEnded(runStatus) && (runsAgain || status === "running" || status === "waiting")) return "under_way";
  if (seen > 0) return onWord ? "vouched" : seen + maybe > 1 ? "same_key" : "once";
  if (onWord) return "vouched";
  return maybe > 0 ? "unknown" : "never";
}

function sendsOf(lane: LaneFacts): Sends {
  const { protection, status, onWord } = lane;
  const seen = status === "completed" && !onWord ? 1 : 0;
  if (protection === "commit") return { seen, maybe: 0, onWord: status === "completed" && onWord };
  if (protection === "nothing") return sendsOfOnce(lane, seen);
  const open = status === "failed" ? 0 : lane.unknown + lane.interrupted + (status === "running" ? 1 : 0);
  // A final failure resolves recorded doubts, but not one about a body whose start was not recorded.
  const maybe = open + (lane.unseen ? 1 : 0);
  if (status === "completed" && onWord) return { seen: 0, maybe: 0, onWord: true };
  return { seen, maybe, onWord: false };
}

/**
 * Its start is durable before its body; after an unknown attempt it runs again only if a person rules out the effect.
 */
function sendsOfOnce({ status, onWord, unknown }: LaneFacts, seen: number): Sends {
  if (status === "completed") return { seen, maybe: 0, onWord: onWord || unknown > 0 };
  if (status === "failed") return { seen: 0, maybe: 0, onWord: unknown > 0 };
  if (status === "waiting") return { seen: 0, maybe: 0, onWord: unknown > 0 };
  if (status === "running") return { seen: 0, maybe: 1, onWord: unknown > 0 };
  // Unknown, or skipped while unknown: its last unknown attempt is the open one.
  return { seen: 0, maybe: unknown > 0 || status === "unknown" ? 1 : 0, onWord: unknown > 1 };
}

const keyOf = ({ protection, keyGeneration }: LaneFacts) => (protection === "key" ? keyGeneration : undefined);

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0);

/** The verdict on many effects: the worst of them. Null if there are none. */
export function worstOf(verdicts: Iterable<EffectVerdict>): EffectVerdict | null {
  let worst = -1;
  for (const verdict of verdicts) worst = Math.max(worst, EFFECT_VERDICTS.indexOf(verdict));
  return EFFECT_VERDICTS[worst] ?? null;
}

/**
 * The verdict on a run: the worst of its effects'. `lostAtEnd`: no outcome was kept after a worker was lost, so a short
 * body begun by it has no record; completed code has reached every step again.
 */
export function judgeRun(
  verdicts: Iterable<EffectVerdict>,
  { status, lostAtEnd }: { status: RunStatus; lostAtEnd: boolean },
): EffectVerdict | null {
  if (!lostAtEnd || status === "completed") return worstOf(verdicts);
  return worstOf([...verdicts, hasEnded(status) ? "unknown" : "under_way"]);
}

/** Use of the key: by one attempt, again by a repetition, or replaced by a fresh one. */
export const KEY_USES = ["unused", "one_attempt", "same_again", "fresh"] as const;
export type KeyUse = (typeof KEY_USES)[number];

export function keyUse(lanes: readonly { keyGeneration: number; attempts: number }[]): KeyUse {
  const used = lanes.filter(({ attempts }) => attempts > 0);
  if (new Set(used.map(({ keyGeneration }) => keyGeneration)).size > 1) return "fresh";
  const attempts = sum(used, (lane) => lane.attempts);
  return attempts === 0 ? "unused" : attempts === 1 ? "one_attempt" : "same_again";
}

/** The outcome of the step, as the ledger names it. */
export const EFFECT_OUTCOMES = ["kept", "supplied", "skipped", "failed", "unknown", "under_way"] as const;
export type EffectOutcome = (typeof EFFECT_OUTCOMES)[number];

export function effectOutcome({ status, onWord }: Pick<LaneFacts, "status" | "onWord">): EffectOutcome {
  if (status === "completed") return onWord ? "supplied" : "kept";
  if (status === "running" || status === "waiting") return "under_way";
  return status;
}
