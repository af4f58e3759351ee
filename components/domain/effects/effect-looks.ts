import type { Look, LookTone } from "@/components/parts/status/look";
import type { EffectRecord } from "@/lib/api/contract/effects";
import type { EffectOutcome, EffectVerdict, KeyUse } from "@/lib/engine/steps/effect-verdict";

/** Red means that an operator has to check. */
export const VERDICT_LOOKS = {
  never: { shape: "slash", word: "Did not happen", tone: "quiet" },
  once: { shape: "check", word: "Once", tone: "green" },
  vouched: { shape: "person", word: "Confirmed manually", tone: "amber" },
  same_key: { shape: "loop", word: "Same key again", tone: "green" },
  under_way: { shape: "clock", word: "In progress", tone: "blue" },
  unknown: { shape: "question", word: "Unknown", tone: "red" },
  maybe_twice: { shape: "octagon", word: "Possible duplicate", tone: "red" },
} as const satisfies Record<EffectVerdict, Look>;

/** For the sentence at the top. */
export const VERDICT_TONES = {
  never: "gray",
  once: "accent",
  vouched: "amber",
  same_key: "accent",
  under_way: "blue",
  unknown: "red",
  maybe_twice: "red",
} as const satisfies Record<EffectVerdict, Exclude<LookTone, "quiet" | "green"> | "gray" | "accent">;

export const OUTCOME_WORDS: Record<EffectOutcome, string> = {
  kept: "kept",
  supplied: "set manually or by the provider",
  skipped: "skipped manually",
  failed: "failed",
  unknown: "unknown",
  under_way: "in progress",
};

export const KEY_WORDS: Record<KeyUse, string> = {
  unused: "not used",
  one_attempt: "one attempt",
  same_again: "same key on every attempt",
  fresh: "new key after a rerun",
};

const EFFECT_WORDS: Record<EffectRecord["effect"], string> = {
  pure: "only reads",
  idempotent: "idempotent at provider",
  once: "not idempotent",
};

export const effectWords = ({ kind, effect }: Pick<EffectRecord, "kind" | "effect">) =>
  kind === "transaction" ? "application rows, with the checkpoint" : EFFECT_WORDS[effect];
