/** A wait of one run, and the events it could take, by sequence number: those that fit its filter, the oldest first. */
export interface OpenWait {
  /** The wait's sequence number; null if it is not recorded yet. */
  seq: number | null;
  /** The event that an earlier generation of the step took. */
  again: number | null;
  /** Sent to this run. */
  forRun: readonly number[];
  /** Sent to the wait's business key. */
  forKey: readonly number[];
  /** All that were sent to the key; null where that is the same, as the wait has no filter. */
  ofKey: readonly number[] | null;
  /** Older waits of other runs for the same key, the oldest first: the events that fit; null for a wait without a filter. */
  older: readonly (readonly number[] | null)[];
}

interface Match {
  event: number | null;
  /** There is an event, but an older wait has not taken its event yet. */
  outranked: boolean;
}

/**
 * The event that each wait takes, in the order of `waits`: first come, first served, on both sides. Each run leaves to
 * older waits the first events that fit them, and takes its own without waiting for them.
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

function matchOne({ again, forRun, forKey, ofKey, older }: OpenWait, taken: ReadonlySet<number>): Match {
  const own = again ?? forRun.find((event) => !taken.has(event));
  if (own !== undefined) return { event: own, outranked: false };
  const left = new Set(taken);
  for (const fitting of older) {
    const first = (fitting ?? ofKey ?? forKey).find((event) => !left.has(event));
    if (first !== undefined) left.add(first);
  }
  const event = forKey.find((event) => !left.has(event)) ?? null;
  return { event, outranked: event === null && forKey.some((event) => !taken.has(event)) };
}
