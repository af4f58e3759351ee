"use client";

import { type PointerEvent, useState } from "react";

/** In pixels: let go further down, it closes. */
const FAR = 96;

/** A sheet that is pulled down by its head: it follows the finger, and closes or springs back when it is let go. */
export function usePullDown(onClose: () => void) {
  const [pull, setPull] = useState<{ from: number; by: number } | null>(null);
  const end = (closes: boolean) => () => {
    setPull(null);
    if (closes && pull && pull.by > FAR) onClose();
  };
  return {
    /** How far it is down, in pixels. */
    by: pull?.by ?? 0,
    /** For its head. A mouse has the button; what is pressed in the head is pressed, not pulled. */
    head: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.pointerType === "mouse" || (event.target as Element).closest("a, button")) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setPull({ from: event.clientY, by: 0 });
      },
      onPointerMove: ({ clientY }: PointerEvent) =>
        setPull((before) => before && { ...before, by: Math.max(0, clientY - before.from) }),
      onPointerUp: end(true),
      onPointerCancel: end(false),
    },
  };
}
