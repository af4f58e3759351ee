import type { Run } from "@/lib/api/contract/run";
import type { StepRow } from "./lanes";

/** A child run whose steps stand under the step that has started it; without rows while it is read. */
export interface NestedRun {
  run: Run | null;
  /** What stands of its steps, in order. */
  rows: StepRow[];
  /** Null where all of its steps came with it. */
  rest: NestedRest | null;
  failed: boolean;
  retry: () => void;
}

/** What of a long child did not come with it: read when it is asked for. */
export interface NestedRest {
  /** Records of its steps in all, and how many of them are not here. */
  total: number;
  left: number;
  state: "closed" | "reading" | "failed" | "open";
  retry: () => void;
}

/** By the child's id. */
export type NestedRuns = ReadonlyMap<string, NestedRun>;

/** Where in the tree a row stands. */
export interface Place {
  runId: string;
  /** 1: of a child of the run. */
  depth: number;
}
