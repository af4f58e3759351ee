import type { Lane, StepRow } from "../lanes/lanes";

/** What can be drawn beside the bars of each step, on their axis. */
export const LAYERS = ["usual", "good", "logs", "spans"] as const;
export type Layer = (typeof LAYERS)[number];

/** Something at an instant or over a time, beside the bars of a row. */
export interface Mark {
  layer: Layer;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** In words, for hover and screen readers. */
  text: string;
  /** To what it is a mark of; null for one that leads nowhere. */
  href: string | null;
  isError: boolean;
}

/** Both answer with the same list for the same row. */
export interface Layers {
  ofRow: (row: StepRow) => readonly Mark[];
  /** Of what happened between its steps. */
  ofLane: (lane: Lane) => readonly Mark[];
}
