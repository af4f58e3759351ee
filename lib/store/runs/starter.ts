import type { Db } from "../db";

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
  /** Opened, as JSON. */
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
