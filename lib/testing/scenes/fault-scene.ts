import type { FaultPoint } from "../../worker/fault-points";
import type { TestDatabase } from "../database/database";
import type { History } from "../database/history";
import type { Fault } from "../processes/crash";

// The fault points that workflows pass, by what they do.
export const EVERY_CLAIM = [
  "claim:before",
  "claim:after",
  "flush:before",
  "flush:after",
  "run:before-end",
  "run:after-end",
] as const;
export const SAME_FOR_ALL = ["claim:before", "claim:after", "flush:before", "run:after-end"] as const;
export const PLAIN_STEP = ["step:before-body", "step:after-body"] as const;
export const ONCE_STEP = ["step:before-start-mark", "step:after-start-mark"] as const;
export const TRANSACTION = [
  "transaction:before-checkpoint",
  "transaction:before-commit",
  "transaction:after-commit",
] as const;

export type Act = (database: TestDatabase, runId: string) => Promise<void>;
/** A workflow whose worker dies at every boundary that it passes. */
export interface Scene {
  workflow: string;
  /** The version that it begins with. Default: the newest. */
  version?: number;
  input: (id: string) => unknown;
  /** Prepares the run for the victim. Default: nothing is done yet. */
  before?: Act;
  /** Every point that it passes. */
  passes: readonly FaultPoint[];
  /** Points that other scenes cover: no worker is killed there. */
  except?: readonly FaultPoint[];
  /** Passages besides the first of each point: of a later step or flush. */
  also?: Omit<Fault, "signal">[];
  /** Waits until the run is at rest, and returns its state. Default: it ended, or waits for a person. */
  rest?: (pool: TestDatabase["pool"], runId: string) => Promise<History>;
  judge: (history: History, id: string, database: TestDatabase) => Promise<void>;
}

export const rowsOf = async (database: TestDatabase, text: string, values: unknown[]) =>
  (await database.pool.query(text, values)).rows;
