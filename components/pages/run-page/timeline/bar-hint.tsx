"use client";

import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { SEGMENT_LOOKS } from "@/components/domain/run/segment-kinds";
import { classNames } from "@/lib/class-names";
import type { Segment } from "./step-segments";

interface Hinted {
  segment: Segment;
  name: string;
  /** Of the bar, on the screen. */
  left: number;
  top: number;
}

export interface BarHintProps {
  area: RefObject<HTMLElement | null>;
  /** The bars of the element's row, and the instant at a position in it. */
  barsAt: (
    target: EventTarget | null,
    x: number,
  ) => { name: string; segments: Segment[]; ms: number; slackMs: number } | null;
  clock: (ms: number) => string;
}

/** What the bar is that the pointer is over, or that the arrow keys have reached. To a screen reader each bar says it itself. */
export function BarHint({ area, barsAt, clock }: BarHintProps) {
  const [hinted, setHinted] = useState<Hinted | null>(null);
  const onPointer = useEffectEvent((event: PointerEvent) => {
    const found = barsAt(event.target, event.clientX);
    const segment = found && segmentAt(found.segments, found.ms, found.slackMs);
    setHinted(segment ? { segment, name: found.name, left: event.clientX, top: event.clientY } : null);
  });
  const onFocus = useEffectEvent((event: FocusEvent) => {
    const bar = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-bar]") : null;
    if (!bar) return setHinted(null);
    const { left, bottom } = bar.getBoundingClientRect();
    const found = barsAt(bar, left);
    const segment = found?.segments[Number(bar.dataset.bar)];
    setHinted(found && segment ? { segment, name: found.name, left, top: bottom } : null);
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
  if (!hinted) return null;
  const { segment, name, left, top } = hinted;
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed z-50 max-w-[340px] rounded-lg border border-line-strong bg-panel px-3 py-2 text-small shadow-float"
      style={{ left: `min(${left + 12}px, calc(100vw - 352px))`, top: `min(${top + 14}px, calc(100vh - 120px))` }}
    >
      <p className="flex items-center gap-2">
        <span className="relative block h-3.5 w-5 shrink-0">
          <span className={classNames("absolute inset-x-0", SEGMENT_LOOKS[segment.kind].className)} />
        </span>
        <span className="truncate font-mono">{name}</span>
      </p>
      <p className="mt-1 break-words text-ink">{segment.text}</p>
      <p className="text-ink-3 tabular-nums">
        {clock(segment.from)} – {clock(segment.to)}
      </p>
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
