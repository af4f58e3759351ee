import { HandrailError } from "../../engine/errors";
import { ERASED_VALUE } from "../../engine/privacy/erased";
import type { RunToStart } from "../../engine/runs/start";
import { isBlob } from "../../engine/values/blob";
import { sameValue } from "../../engine/values/codec";
import type { Db } from "../db";
import { isBlobOf } from "../payloads";

export interface StartedRun {
  id: string;
  /** False if the idempotency key had started this run before. */
  created: boolean;
}

/** A caller that starts runs over HTTP, and what it may learn about runs that its keys have started before. */
export interface Starter {
  /** Stored with the run: its owner may repeat the start. */
  owner: string;
  /** Of others' runs: the ids of those whose inputs the caller sees unmasked. Comparing these reveals nothing new. */
  seenWhole(db: Db, runs: readonly Keyed[]): Promise<ReadonlySet<string>>;
  /** Whether the caller's debounced starts of the workflow may join others' runs: this reveals that they exist. */
  joinsOthers(db: Db, workflow: string): Promise<boolean>;
}

/** A run that an idempotency key has started. */
export interface Keyed {
  id: string;
  workflow: string;
  /** Opened, as JSON; or a reference to the blob store. */
  input: string;
  owner: string | null;
}

/**
 * Runs whose inputs may be compared with the starter's: equality reveals the input. Otherwise a caller could confirm
 * guesses of masked values.
 */
export async function mayCompare(db: Db, runs: readonly Keyed[], starter?: Starter): Promise<ReadonlySet<string>> {
  const others = starter ? runs.filter(({ owner }) => owner !== starter.owner) : [];
  const comparable = new Set(runs.map(({ id }) => id));
  if (!starter || others.length === 0) return comparable;
  const seen = await starter.seenWhole(db, others);
  for (const { id } of others) if (!seen.has(id)) comparable.delete(id);
  return comparable;
}

/**
 * The run that the key has started, as the result of a start with that key.
 * @param comparable ids of runs whose inputs may be compared with the given one
 * @throws HandrailError `idempotency_conflict`
 */
export function startedBefore(run: RunToStart, { id, input }: Keyed, comparable: ReadonlySet<string>): StartedRun {
  if (!comparable.has(id))
    throw conflict(
      run,
      id,
      "for another caller, and parts of its input are masked for you. Use another key, or ask for payload.read.",
    );
  if (input === ERASED_VALUE) throw conflict(run, id, "whose data was erased since. Use another key for a new run.");
  if (!isSameInput(run, { id, input }))
    throw conflict(run, id, "with another input. Use another key, or send the same input.");
  return { id, created: false };
}

function isSameInput({ input, large }: RunToStart, before: Pick<Keyed, "id" | "input">): boolean {
  if (isBlob(before.input)) return large !== undefined && isBlobOf([before.id, "input"], before.input, large.text);
  return large === undefined && sameValue(before.input, input);
}

const conflict = ({ idempotencyKey, workflow }: RunToStart, runId: string, how: string) =>
  new HandrailError(
    "idempotency_conflict",
    `The idempotency key "${idempotencyKey}" has started a run of "${workflow}" ${how}`,
    { runId },
  );

/** A key of a workflow, in maps. */
export const nameOf = (workflow: string, key: string | null) => `${workflow} ${key}`;
