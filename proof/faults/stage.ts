import type { RunStatus } from "../../lib/engine/runs/run";
import type { Desk } from "../../lib/operator/desk";
import type { Promised } from "../../lib/store/database/doctor-rules";
import type { Db } from "../../lib/store/db";
import type { Random } from "./random";

/** A run whose start was acknowledged. */
export interface GivenRun {
  id: string;
  workflow: string;
  input: object;
  /** How it may end. */
  mayBe: readonly RunStatus[];
}

/** The part of a scene that code acting on its runs needs. */
export interface Stage {
  readonly db: Db;
  readonly random: Random;
  rows<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** A word that no other run of any trial has. */
  word(): string;
  desk(actor?: string, requestKey?: string): Desk;
  /** Adopts a run that another client has started. */
  note(run: GivenRun): GivenRun;
  check(holds: boolean, promise: Promised, what: string): void;
}
