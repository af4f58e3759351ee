"use client";

import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import { useStored } from "../hooks/use-stored";

/** In pixels. */
const MIN = 320;
const MAX = 720;
const STEP = 24;

interface SidePaneProps {
  label: string;
  /** Under which this browser keeps how wide the pane is. */
  name: string;
  /** In pixels, until the user has chosen. */
  usual: number;
  children: ReactNode;
}

/** A pane beside a list with an adjustable width: its border is dragged, or moved with the arrow keys. */
export function SidePane({ label, name, usual, children }: SidePaneProps) {
  const [stored, store] = useStored(name);
  const [dragged, setDragged] = useState<number | null>(null);
  const width = dragged ?? clamp(Number(stored ?? usual) || usual);
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragged(width);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (dragged === null) return;
    const { right } = event.currentTarget.parentElement?.getBoundingClientRect() ?? { right: 0 };
    setDragged(clamp(right - event.clientX));
  };
  const onPointerUp = () => {
    if (dragged === null) return;
    store(String(dragged));
    setDragged(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    store(String(clamp(width + by)));
  };
  return (
    <aside aria-label={label} className="relative flex shrink-0 border-line border-l bg-panel" style={{ width }}>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule between two parts has no handle */}
      <div
        role="separator"
        aria-label={`Width of the ${label.toLowerCase()}`}
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={MIN}
        aria-valuemax={MAX}
        tabIndex={0}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onKeyDown={onKeyDown}
        className="-left-1 absolute inset-y-0 z-20 w-2 cursor-col-resize touch-none border-transparent border-l-2 outline-none hover:border-accent focus-visible:border-accent"
      />
      <div className="min-w-0 flex-1 overflow-y-auto">{children}</div>
    </aside>
  );
}

const clamp = (width: number) => Math.round(Math.min(Math.max(width, MIN), MAX));
