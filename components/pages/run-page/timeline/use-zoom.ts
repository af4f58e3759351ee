"use client";

import { useEffect, useEffectEvent } from "react";
import { useHotkeys } from "@/components/parts/keys/use-hotkeys";
import type { Lane } from "../lanes/lanes";
import { zoomed } from "../lanes/scales";
import type { Interval, TimeScale } from "../lanes/time-scale";

const STEP = 2;
/** How much a notch of a wheel or a stretch of a pad zooms. */
const WHEEL = 0.004;

interface Zoomable {
  lanes: readonly Lane[];
  whole: TimeScale;
  window: Interval | null;
  onWindow: (window: Interval | null) => void;
}

/** Zooming around an instant. From the lanes side by side it begins with the one that has the instant. */
function zoomBy(factor: number, anchorMs: number, { lanes, whole, window }: Omit<Zoomable, "onWindow">) {
  if (window || factor < 1) return zoomed(whole, window, factor, anchorMs);
  const lane = lanes.findLast(({ startMs }) => startMs <= anchorMs) ?? lanes[0];
  const base = lane && lanes.length > 1 ? { from: lane.startMs, to: Math.max(lane.startMs + 1, lane.endMs) } : null;
  return zoomed(whole, base, factor, anchorMs);
}

/** Zooms with + − 0, with the wheel while ctrl or ⌘ is held, and by pinching. @param anchorMs what the keys zoom around */
export function useZoom(
  area: HTMLElement | null,
  zoomable: Zoomable,
  anchorMs: number,
  timeAt: (target: EventTarget | null, x: number) => number | null,
) {
  const by = (factor: number, at: number) => zoomable.onWindow(zoomBy(factor, at, zoomable));
  const zoomIn = () => by(STEP, anchorMs);
  const zoomOut = () => by(1 / STEP, anchorMs);
  useHotkeys({ "+": zoomIn, "-": zoomOut, "0": () => zoomable.onWindow(null) });

  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    const at = timeAt(event.target, event.clientX);
    if (at === null) return;
    // Else the browser zooms its page.
    event.preventDefault();
    by(Math.exp(-event.deltaY * WHEEL), at);
  });
  const onPinch = useEffectEvent((target: EventTarget | null, x: number, factor: number) => {
    const at = timeAt(target, x);
    if (at !== null) by(factor, at);
  });
  useEffect(() => {
    if (!area) return;
    const wheel = (event: WheelEvent) => onWheel(event);
    const unpinch = followPinch(area, onPinch);
    area.addEventListener("wheel", wheel, { passive: false });
    return () => {
      area.removeEventListener("wheel", wheel);
      unpinch();
    };
  }, [area]);
  return { zoomIn, zoomOut };
}

/** Two fingers: how much their distance changed since the last call, around their middle. */
function followPinch(area: HTMLElement, onPinch: (target: EventTarget | null, x: number, factor: number) => void) {
  let last: number | null = null;
  const move = (event: TouchEvent) => {
    const [one, other] = event.touches;
    if (!one || !other) return;
    event.preventDefault();
    const distance = Math.abs(one.clientX - other.clientX) + 1;
    if (last !== null) onPinch(event.target, (one.clientX + other.clientX) / 2, distance / last);
    last = distance;
  };
  const end = () => {
    last = null;
  };
  area.addEventListener("touchmove", move, { passive: false });
  area.addEventListener("touchend", end);
  return () => {
    area.removeEventListener("touchmove", move);
    area.removeEventListener("touchend", end);
  };
}
