/** A span as it is kept, without what it says. */
export interface SpanPlace {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  /** It names the run. Otherwise it names none, and is of the run's trace. */
  own: boolean;
  /** The span above it names another run. */
  belowAnother: boolean;
}

const keyOf = (traceId: string, spanId: string) => `${traceId} ${spanId}`;

/**
 * Which spans belong to a run, where several may share its trace: those that name it, all below them, and those that lead to
 * them from the beginning of the trace. The rest of the trace belongs to the run only if it is the trace's only one: it may
 * be of another run, which not everyone who sees this one may see.
 */
export function spansOfRun<Place extends SpanPlace>(places: readonly Place[], isAlone: boolean): Place[] {
  const byKey = new Map(places.map((place) => [keyOf(place.traceId, place.spanId), place]));
  const above = ({ traceId, parentSpanId }: SpanPlace) =>
    parentSpanId === null ? undefined : byKey.get(keyOf(traceId, parentSpanId));
  const belongs = new Map<Place, boolean>();
  for (const place of places) if (place.own) belongs.set(place, true);
  for (const place of places) settle(place, above, belongs, isAlone);
  for (const place of places)
    if (place.own)
      for (let at = above(place); at && !belongs.get(at) && !at.belowAnother; at = above(at)) belongs.set(at, true);
  return places.filter((place) => belongs.get(place));
}

/** Climbs to the first span of which it is known, or that has none above it here; all on the way belong as that one does. */
function settle<Place extends SpanPlace>(
  from: Place,
  above: (place: Place) => Place | undefined,
  belongs: Map<Place, boolean>,
  isAlone: boolean,
): void {
  const way: Place[] = [];
  let at: Place | undefined = from;
  // What a sender says of parents may go in a circle.
  const seen = new Set<Place>();
  while (at && !belongs.has(at) && !seen.has(at)) {
    seen.add(at);
    way.push(at);
    at = above(at);
  }
  const top = way.at(-1);
  const known = at && belongs.get(at);
  for (const place of way) belongs.set(place, known ?? (isAlone && !top?.belowAnother));
}
