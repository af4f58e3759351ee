/** A wait of one run, and the events it could take, by sequence number. */
export interface OpenWait {
  /** The wait's sequence number; null if it is not recorded yet. */
  seq: number | null;
  /** The event that an earlier generation of the step took. */
  again: number | null;
  /** Sent to this run. */
  forRun: readonly number[];
  /** Sent to the wait's business key. */
  forKey: readonly number[];
  /** Waits of other runs for the same key that are older. */
  older: number;
}

interface Match {
  event: number | null;
  /** There is an event, but an older wait has not taken its event yet. */
  outranked: boolean;
}

/**
 * The event that each wait takes, in the order of `waits`: first come, first served, on both sides. Each run leaves the
 * first events of a key to older waits, and takes its own without waiting for them.
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

// `sort` is stable.
const seqOf = ({ seq }: OpenWait) => seq ?? Number.MAX_SAFE_INTEGER;

function matchOne({ again, forRun, forKey, older }: OpenWait, taken: ReadonlySet<number>): Match {
  const isFree = (event: number) => !taken.has(event);
  const own = again ?? forRun.find(isFree);
  if (own !== undefined) return { event: own, outranked: false };
  const free = forKey.filter(isFree);
  return { event: free[older] ?? null, outranked: free.length > 0 && free.length <= older };
}
