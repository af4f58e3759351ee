import type { Shape } from "./status-shape";

/** How a status is shown: shape, word and colour together. */
export interface Look {
  shape: Shape;
  word: string;
  /** Red means needs attention. Retrying is amber, completed is quiet. */
  tone: LookTone;
}

export type LookTone = "red" | "amber" | "blue" | "violet" | "green" | "quiet";

/** Of shape and word; a completed status keeps a green shape beside a quiet word. */
export const TONE_CLASSES = {
  red: { shape: "text-red", word: "text-red" },
  amber: { shape: "text-amber", word: "text-amber" },
  blue: { shape: "text-blue", word: "text-blue" },
  violet: { shape: "text-violet", word: "text-violet" },
  green: { shape: "text-green", word: "text-ink-2" },
  quiet: { shape: "text-ink-3", word: "text-ink-3" },
} satisfies Record<LookTone, { shape: string; word: string }>;
