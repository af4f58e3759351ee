import type { Run } from "@/lib/api/contract/run";
import type { StepRow } from "../lanes/lanes";

/** A child run whose steps are shown under the step that started it; without rows while it loads. */
export interface NestedRun {
  run: Run | null;
  /** The rows of its steps, in order. */
  rows: StepRow[];
  /** Null if all of its steps are loaded. */
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

/** A row's position in the tree. */
export interface Place {
  runId: string;
  /** 1: of a child of the run. */
  depth: number;
}
