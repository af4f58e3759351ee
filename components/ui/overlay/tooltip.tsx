"use client";

import { Slot } from "radix-ui";
import { type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { later } from "../later";

const TooltipWindow = later(() => import("./tooltip-window").then((part) => part.TooltipWindow));

const REST_MS = 350;
/** Where another one was there just now, it follows at once. */
const FOLLOWS_MS = 300;
/** Time to go from the button to the text. */
const LEAVE_MS = 120;

let lastClosed = Number.NEGATIVE_INFINITY;
/** There is one at a time. */
let closeShown: () => void = () => undefined;

/**
 * `children` is one element that can be focused or hovered. Opening is decided here, and Radix, loaded later, places
 * it: Radix's own tooltip does both, but adds all of its placement code (23 kB compressed) to the first load of every
 * page.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const id = useId();
  const { anchor, stay, close, leave, triggers } = useHint();
  return (
    <>
      <Slot.Root {...triggers} {...(anchor && { "aria-describedby": id })}>
        {children}
      </Slot.Root>
      {anchor && <TooltipWindow {...{ id, anchor, text, stay, close, leave }} />}
    </>
  );
}

/** Over what the text is shown: what the pointer rests on, or what the keyboard has reached. */
function useHint() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pressed = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const turn = (next: HTMLElement | null) => {
    clearTimeout(timer.current);
    if (anchor && !next) lastClosed = performance.now();
    if (next) {
      closeShown();
      closeShown = () => setAnchor(null);
    }
    setAnchor(next);
  };
  const turnIn = (ms: number, next: HTMLElement | null) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => turn(next), ms);
  };
  const leave = () => turnIn(LEAVE_MS, null);
  const close = () => turn(null);
  return {
    anchor,
    close,
    leave,
    stay: () => clearTimeout(timer.current),
    triggers: {
      onPointerEnter: ({ pointerType, currentTarget }: PointerEvent<HTMLElement>) => {
        if (pointerType !== "touch") turnIn(performance.now() - lastClosed < FOLLOWS_MS ? 0 : REST_MS, currentTarget);
      },
      onPointerLeave: () => {
        pressed.current = false;
        leave();
      },
      onPointerDown: () => {
        pressed.current = true;
        close();
      },
      onClick: () => {
        pressed.current = false;
        close();
      },
      onFocus: ({ currentTarget }: { currentTarget: HTMLElement }) => {
        if (!pressed.current) turn(currentTarget);
        pressed.current = false;
      },
      onBlur: close,
    },
  };
}
