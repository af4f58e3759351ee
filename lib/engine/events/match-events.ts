/** A wait of one run, and the events it could take, by their numbers: the order in which they came. */
export interface OpenWait {
  /** The order in which waits came; null for one that is not on record yet. */
  seq: number | null;
  /** What an earlier generation of the step took. */
  again: number | null;
  /** Sent to this run. */
  forRun: readonly number[];
  /** Sent to the wait's business key. */
  forKey: readonly number[];
  /** Waits of other runs for the same key that came before this one. */
  older: number;
}

interface Match {
  event: number | null;
  /** There is an event, and somebody who has waited for longer has not taken it yet. */
  outranked: boolean;
}

/**
 * Which event each wait takes, in the order of `waits`: first come, first served, on both sides. Of the events of a key,
 * each run leaves the first ones to those who have waited for longer, and takes its own without waiting for them.
 */
export function matchEvents(waits: readonly OpenWait[]): Match[] {
  const taken = new Set<number>();
  const matches: Match[] = waits.map(() => ({ event: null, outranked: false }));
  const inOrder = waits.map((wait, index) => ({ wait, index })).sort((a, b) => seqOf(a.wait) - seqOf(b.wait));
  for (const { wait, index } of inOrder) {
    const match = matchOne(wait, taken);
    if (match.event !== null) taken.add(match.event);
    matches[index] = match;
  }
  return matches;
}

// `sort` keeps the order of those that are equal.
const seqOf = ({ seq }: OpenWait) => seq ?? Number.MAX_SAFE_INTEGER;

function matchOne({ again, forRun, forKey, older }: OpenWait, taken: ReadonlySet<number>): Match {
  const isFree = (event: number) => !taken.has(event);
  const own = again ?? forRun.find(isFree);
  if (own !== undefined) return { event: own, outranked: false };
  const free = forKey.filter(isFree);
  return { event: free[older] ?? null, outranked: free.length > 0 && free.length <= older };
}
