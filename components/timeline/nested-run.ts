import type { Run } from "@/lib/api/contract/run";
import type { StepRow } from "./lanes";

/** A child run whose steps stand under the step that has started it; without rows while it is read. */
export interface NestedRun {
  run: Run | null;
  /** What stands of its steps, in order. */
  rows: StepRow[];
  /** Steps that were not read: they are on its page. */
  left: number;
  failed: boolean;
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
