"use client";

import { memo, useMemo, useRef, useState } from "react";
import { SEGMENT_LOOKS } from "@/components/domain/run/segment-kinds";
import { classNames } from "@/lib/class-names";
import { formatDuration } from "@/lib/format";
import type { Lane } from "../lanes/lanes";
import { panned, windowAt, zoomed } from "../lanes/scales";
import { heightOf, type Shape, shapeOf } from "../lanes/shape";
import type { Interval, TimeScale } from "../lanes/time-scale";

const PLACES = 400;
/** Of the strip's height, by `heightOf`. */
const HEIGHTS = ["", "h-1.5", "h-3.5", "h-4.5", "h-5.5", "h-7"];
/** A drag that is shorter is a click. */
const LEAST_DRAG = 0.004;
const PAN = 0.25;

interface MinimapProps {
  lanes: readonly Lane[];
  /** The moment of the history that is shown. */
  atMs: number | null;
  whole: TimeScale;
  window: Interval | null;
  onWindow: (window: Interval | null) => void;
}

/** The whole run in a strip: how much went on, and the gravest of it. Dragging over it looks at that time alone. */
export function Minimap({ lanes, atMs, whole, window, onWindow }: MinimapProps) {
  const shapes = useMemo(
    () =>
      shapeOf(
        lanes.flatMap(({ rows }) => rows),
        whole,
        PLACES,
      ),
    [lanes, whole],
  );
  const brush = useBrush((from, to) => onWindow(windowAt(whole, from, to)));
  const shown = brush.drag ?? (window ? { from: whole.place(window.from), to: whole.place(window.to) } : null);
  return (
    <div className="border-line border-b px-4 py-2 md:px-6">
      <div
        role="slider"
        tabIndex={0}
        aria-label="Visible time range"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round((window ? whole.place(window.from) : 0) * 100)}
        aria-valuetext={wordsOf(whole, window)}
        onKeyDown={(event) => {
          const next = keyed(event.key, whole, window);
          if (next === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          onWindow(next);
        }}
        className="relative h-8 touch-none cursor-crosshair overflow-hidden rounded bg-sunken"
        {...brush.handlers}
      >
        <Strip shapes={shapes} />
        {lanes
          .filter(({ kind }) => kind !== "first")
          .map(({ key, startMs }) => (
            <span
              key={key}
              aria-hidden
              className="absolute inset-y-0 w-px bg-line-strong"
              style={{ left: `${whole.place(startMs) * 100}%` }}
            />
          ))}
        {atMs !== null && (
          <span
            aria-hidden
            className="absolute inset-y-0 w-px bg-accent"
            style={{ left: `${whole.place(atMs) * 100}%` }}
          />
        )}
        {shown && (
          <>
            <span
              aria-hidden
              className="absolute inset-y-0 left-0 bg-bg/70"
              style={{ width: `${shown.from * 100}%` }}
            />
            <span aria-hidden className="absolute inset-y-0 right-0 bg-bg/70" style={{ left: `${shown.to * 100}%` }} />
            <span
              aria-hidden
              className="absolute inset-y-0 rounded border border-accent"
              style={{ left: `${shown.from * 100}%`, width: `max(3px, ${(shown.to - shown.from) * 100}%)` }}
            />
          </>
        )}
      </div>
    </div>
  );
}

/** The same, whatever of it is looked at. */
const Strip = memo(function Strip({ shapes }: { shapes: Shape[] }) {
  return shapes.map(({ at, width, kind, count }) => (
    <span
      key={at}
      aria-hidden
      data-drawn
      className={classNames("absolute bottom-0.5", SEGMENT_LOOKS[kind].fill, HEIGHTS[heightOf(count)])}
      style={{ left: `${at * 100}%`, width: `max(1px, ${width * 100}%)` }}
    />
  ));
});

const wordsOf = (whole: TimeScale, window: Interval | null) =>
  window
    ? `from ${formatDuration(window.from - whole.from)} to ${formatDuration(window.to - whole.from)} of ${formatDuration(whole.to - whole.from)}`
    : `the whole run, ${formatDuration(whole.to - whole.from)}`;

/** Undefined for a key that does nothing here. */
function keyed(key: string, whole: TimeScale, window: Interval | null): Interval | null | undefined {
  const middle = window ? (window.from + window.to) / 2 : whole.timeAt(0.5);
  switch (key) {
    case "ArrowLeft":
      return window && panned(whole, window, -PAN);
    case "ArrowRight":
      return window && panned(whole, window, PAN);
    case "ArrowUp":
      return zoomed(whole, window, 2, middle);
    case "ArrowDown":
      return zoomed(whole, window, 0.5, middle);
    case "Home":
      return null;
    default:
      return undefined;
  }
}

/** What is dragged over, in shares of the width; nothing comes of a click. */
function useBrush(onBrush: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Interval | null>(null);
  const start = useRef<number | null>(null);
  const placeOf = (event: React.PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  const between = (a: number, b: number) => ({ from: Math.min(a, b), to: Math.max(a, b) });
  const end = () => {
    start.current = null;
    setDrag(null);
  };
  return {
    drag,
    handlers: {
      onPointerDown: (event: React.PointerEvent<HTMLElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = placeOf(event);
      },
      onPointerMove: (event: React.PointerEvent<HTMLElement>) => {
        if (start.current !== null) setDrag(between(start.current, placeOf(event)));
      },
      onPointerUp: (event: React.PointerEvent<HTMLElement>) => {
        if (start.current === null) return;
        const { from, to } = between(start.current, placeOf(event));
        end();
        if (to - from >= LEAST_DRAG) onBrush(from, to);
      },
      onPointerCancel: end,
    },
  };
}
