import { GRAVEST, IDLE, type SegmentKind } from "@/components/domain/run/segment-kinds";
import type { StepRow } from "./lanes";
import type { TimeScale } from "./time-scale";

/** What many steps were doing over a stretch of the width: places are shares of it, 0 to 1. */
export interface Shape {
  at: number;
  width: number;
  /** The most severe activity. */
  kind: SegmentKind;
  /** Bars that had a share in it, at the most at one place. */
  count: number;
}

const RANK = Object.fromEntries(GRAVEST.map((kind, index) => [kind, index])) as Record<SegmentKind, number>;
const NOTHING = GRAVEST.length;

/** The shape of any number of steps, in so many places at the most. Time in which something ran hides time in which nothing did. */
export function shapeOf(rows: readonly StepRow[], scale: TimeScale, places: number): Shape[] {
  const ranks = new Uint8Array(places).fill(NOTHING);
  const counts = new Uint32Array(places);
  for (const { segments } of rows)
    for (const { kind, from, to } of segments) {
      if (to < scale.from || from > scale.to || kind === "queued") continue;
      const rank = RANK[kind];
      const last = Math.min(places - 1, Math.floor(scale.place(to) * places));
      for (let place = Math.min(last, Math.floor(scale.place(from) * places)); place <= last; place++) {
        if (!IDLE[kind]) counts[place] = (counts[place] ?? 0) + 1;
        if (rank < (ranks[place] ?? NOTHING)) ranks[place] = rank;
      }
    }
  return joined(ranks, counts, places);
}

/** Places beside each other that look alike, as one. */
function joined(ranks: Uint8Array, counts: Uint32Array, places: number): Shape[] {
  const shapes: (Shape & { to: number })[] = [];
  ranks.forEach((rank, place) => {
    const kind = GRAVEST[rank];
    if (!kind) return;
    const count = counts[place] ?? 0;
    const last = shapes.at(-1);
    if (last && last.kind === kind && last.to === place && heightOf(last.count) === heightOf(count)) {
      last.width += 1 / places;
      last.to = place + 1;
      last.count = Math.max(last.count, count);
    } else shapes.push({ at: place / places, width: 1 / places, kind, count, to: place + 1 });
  });
  return shapes.map(({ to: _, ...shape }) => shape);
}

/** In steps, so that one bar more does not cut a strip in two: 1 for what is idle, up to 5 for a thousand and more. */
export const heightOf = (count: number) => Math.min(5, 1 + Math.ceil(Math.log10(count + 1)));
