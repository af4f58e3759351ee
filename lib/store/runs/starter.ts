import type { Db } from "../db";

/** Who starts runs over HTTP, and what they may be answered of runs that their keys have started before. */
export interface Starter {
  /** Kept with the run: who began it may repeat the start. */
  owner: string;
  /** Of runs that others began: the ids of those whose inputs they are shown whole. Comparing says nothing about these that is not shown. */
  seenWhole(db: Db, runs: readonly Keyed[]): Promise<ReadonlySet<string>>;
  /** Whether their debounced starts of the workflow may join runs that others began: an answer about these, too. */
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
 * Runs whose inputs may be compared with one that the starter gives: whether they are the same is an answer about both. Somebody
 * who guesses what is masked for them would learn whether they are right.
 */
export async function mayCompare(db: Db, runs: readonly Keyed[], starter?: Starter): Promise<ReadonlySet<string>> {
  const others = starter ? runs.filter(({ owner }) => owner !== starter.owner) : [];
  const comparable = new Set(runs.map(({ id }) => id));
  if (!starter || others.length === 0) return comparable;
  const seen = await starter.seenWhole(db, others);
  for (const { id } of others) if (!seen.has(id)) comparable.delete(id);
  return comparable;
}
