"use client";

import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { SEGMENT_LOOKS } from "@/components/domain/run/segment-kinds";
import { classNames } from "@/lib/class-names";
import type { Segment } from "../lanes/step-segments";

interface Hinted {
  /** Null of what lies beside the bars. */
  segment: Segment | null;
  name: string;
  /** What lies beside the bars, in words. */
  notes: readonly string[];
  /** On the screen. */
  left: number;
  top: number;
}

interface Found {
  name: string;
  segments: readonly Segment[];
  notes: readonly string[];
  ms: number;
  slackMs: number;
}

export interface BarHintProps {
  area: RefObject<HTMLElement | null>;
  /** The bars of the element's row, and the instant at a position in it. */
  barsAt: (target: EventTarget | null, x: number) => Found | null;
  clock: (ms: number) => string;
}

const closest = (target: EventTarget | null, selector: string) =>
  target instanceof HTMLElement ? target.closest<HTMLElement>(selector) : null;

/** What the bar or the mark is that the pointer is over, or that the arrow keys have reached. To a screen reader each says it itself. */
export function BarHint({ area, barsAt, clock }: BarHintProps) {
  const [hinted, setHinted] = useState<Hinted | null>(null);
  const ofMark = (mark: HTMLElement, left: number, top: number): Hinted => ({
    ...{ segment: null, name: barsAt(mark, left)?.name ?? "", notes: [mark.getAttribute("aria-label") ?? ""] },
    ...{ left, top },
  });
  const onPointer = useEffectEvent(({ target, clientX: left, clientY: top }: PointerEvent) => {
    const mark = closest(target, "[data-mark]");
    if (mark) return setHinted(ofMark(mark, left, top));
    const found = barsAt(target, left);
    const segment = found && segmentAt(found.segments, found.ms, found.slackMs);
    setHinted(segment ? { segment, name: found.name, notes: found.notes, left, top } : null);
  });
  const onFocus = useEffectEvent(({ target }: FocusEvent) => {
    const element = closest(target, "[data-bar], [data-mark]");
    if (!element) return setHinted(null);
    const { left, bottom: top } = element.getBoundingClientRect();
    if (element.dataset.mark !== undefined) return setHinted(ofMark(element, left, top));
    const found = barsAt(element, left);
    const segment = found?.segments[Number(element.dataset.bar)];
    setHinted(found && segment ? { segment, name: found.name, notes: found.notes, left, top } : null);
  });
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const move = (event: PointerEvent) => onPointer(event);
    const focus = (event: FocusEvent) => onFocus(event);
    const leave = () => setHinted(null);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("focusin", focus);
    element.addEventListener("focusout", leave);
    return () => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("focusin", focus);
      element.removeEventListener("focusout", leave);
    };
  }, [area]);
  return hinted && <Hint hinted={hinted} clock={clock} />;
}

function Hint({
  hinted: { segment, name, notes, left, top },
  clock,
}: {
  hinted: Hinted;
  clock: BarHintProps["clock"];
}) {
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed z-50 max-w-[340px] rounded-lg border border-line-strong bg-panel px-3 py-2 text-small shadow-float"
      style={{ left: `min(${left + 12}px, calc(100vw - 352px))`, top: `min(${top + 14}px, calc(100vh - 140px))` }}
    >
      <p className="flex items-center gap-2">
        {segment && (
          <span className="relative block h-3.5 w-5 shrink-0">
            <span className={classNames("absolute inset-x-0", SEGMENT_LOOKS[segment.kind].className)} />
          </span>
        )}
        <span className="truncate font-mono">{name}</span>
      </p>
      {segment && (
        <>
          <p className="mt-1 break-words text-ink">{segment.text}</p>
          <p className="text-ink-3 tabular-nums">
            {clock(segment.from)} – {clock(segment.to)}
          </p>
        </>
      )}
      {notes.map((note) => (
        <p key={note} className="mt-1 break-words text-ink-2">
          {note}
        </p>
      ))}
    </div>
  );
}

/** The bar at an instant, or the nearest one as far as a bar may be drawn wider than it is. Of two, the later begun. */
function segmentAt(segments: readonly Segment[], ms: number, slackMs: number): Segment | undefined {
  return (
    segments.findLast(({ from, to }) => from <= ms && ms <= to) ??
    segments.findLast(({ from, to }) => from - slackMs <= ms && ms <= to + slackMs)
  );
}
