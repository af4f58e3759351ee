interface Placed {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
}

export interface Nested<Span> {
  span: Span;
  key: string;
  /** How many spans are above it. */
  depth: number;
}

const keyOf = (traceId: string, spanId: string) => `${traceId} ${spanId}`;

/** Each span below its parent, brothers in the order in which they are given. A span whose parent was not received is on top. */
export function nestSpans<Span extends Placed>(spans: readonly Span[]): Nested<Span>[] {
  const byKey = new Map(spans.map((span) => [keyOf(span.traceId, span.spanId), span]));
  const below = new Map<string | null, Span[]>();
  for (const span of spans) {
    const parent = span.parentSpanId === null ? null : keyOf(span.traceId, span.parentSpanId);
    const key = parent !== null && byKey.has(parent) ? parent : null;
    const group = below.get(key);
    if (group) group.push(span);
    else below.set(key, [span]);
  }
  const rows: Nested<Span>[] = [];
  const drawn = new Set<string>();
  const draw = (first: readonly Span[]) => {
    // A stack, not recursion: a chain may be thousands of spans long.
    const open = first.map((span) => ({ span, depth: 0 })).reverse();
    for (let next = open.pop(); next; next = open.pop()) {
      const { span, depth } = next;
      const key = keyOf(span.traceId, span.spanId);
      if (drawn.has(key)) continue;
      drawn.add(key);
      rows.push({ span, key, depth });
      for (const child of (below.get(key) ?? []).toReversed()) open.push({ span: child, depth: depth + 1 });
    }
  };
  draw(below.get(null) ?? []);
  // What a sender says of parents may go in a circle.
  draw(spans);
  return rows;
}
