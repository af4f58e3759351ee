"use client";

import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";

/** The first and the last selected bar. */
export type Span = readonly [first: number, last: number];

interface BrushProps {
  /** How many bars lie under it. */
  count: number;
  /** When the bar begins, and when it ends, in words. */
  beginsAt: (index: number) => string;
  endsAt: (index: number) => string;
  onChoose: (span: Span) => void;
  /** The bar that the pointer is over; null: none. */
  onPoint: (index: number | null) => void;
}

/**
 * Selects a range of the bars: by dragging with a mouse or a finger, or by keys: each end is moved with the arrows,
 * Enter applies the range, Escape cancels it.
 */
export function Brush({ count, beginsAt, endsAt, onChoose, onPoint }: BrushProps) {
  const plot = useRef<HTMLDivElement>(null);
  const [span, setSpan] = useState<Span | null>(null);
  const [from, setFrom] = useState<number | null>(null);
  const [first, last] = span ?? [0, count - 1];
  const indexAt = ({ clientX }: PointerEvent) => {
    const { left, width } = plot.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / Math.max(1, width)) * count)));
  };
  const draw = (event: PointerEvent, begun: number) => {
    const at = indexAt(event);
    setSpan([Math.min(begun, at), Math.max(begun, at)]);
  };
  const take = () => {
    setFrom(null);
    setSpan(null);
    if (span) onChoose(span);
  };
  const letGo = () => {
    setFrom(null);
    setSpan(null);
  };
  const keys = (end: 0 | 1) => (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -count, End: count }[event.key];
    if (by !== undefined) {
      const moved = end === 0 ? first + by : last + by;
      setSpan(
        end === 0 ? [Math.min(last, Math.max(0, moved)), last] : [first, Math.max(first, Math.min(count - 1, moved))],
      );
    } else if (event.key === "Enter" && span) take();
    else if (event.key === "Escape" && span) letGo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const percent = (index: number) => `${(index / count) * 100}%`;
  return (
    <div
      ref={plot}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        const at = indexAt(event);
        setFrom(at);
        setSpan([at, at]);
      }}
      onPointerMove={(event) => {
        onPoint(indexAt(event));
        if (from !== null) draw(event, from);
      }}
      onPointerLeave={() => onPoint(null)}
      onPointerUp={take}
      onPointerCancel={letGo}
      className="absolute inset-0 cursor-crosshair touch-pan-y select-none"
    >
      {span && (
        <div
          aria-hidden
          style={{ left: percent(first), right: percent(count - 1 - last) }}
          className="pointer-events-none absolute inset-y-0 rounded-sm border-accent border-x-2 bg-accent-soft opacity-60"
        />
      )}
      <Handle label="From" at={percent(first)} now={first} most={count - 1} text={beginsAt(first)} onKey={keys(0)} />
      <Handle label="Until" at={percent(last + 1)} now={last} most={count - 1} text={endsAt(last)} onKey={keys(1)} />
    </div>
  );
}

interface HandleProps {
  label: string;
  at: string;
  now: number;
  most: number;
  text: string;
  onKey: (event: KeyboardEvent) => void;
}

/** Visible once it has the focus: pointer users do not need it. */
const Handle = ({ label, at, now, most, text, onKey }: HandleProps) => (
  <div
    role="slider"
    tabIndex={0}
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={most}
    aria-valuenow={now}
    aria-valuetext={text}
    onKeyDown={onKey}
    style={{ left: at }}
    className="-translate-x-1/2 group pointer-events-none absolute inset-y-0 w-6 outline-none"
  >
    <span className="mx-auto block h-full w-1 rounded-full group-focus-visible:bg-accent" />
  </div>
);
