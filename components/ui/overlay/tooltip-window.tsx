"use client";

import { Tooltip as Radix } from "radix-ui";
import { useEffect } from "react";
import { createPortal } from "react-dom";

interface TooltipWindowProps {
  id: string;
  anchor: HTMLElement;
  text: string;
  /** The pointer has entered the text, or has left it. */
  stay: () => void;
  leave: () => void;
  close: () => void;
}

/** A text beside an element that is not its own: its trigger is a ghost that lies where the element is. */
export function TooltipWindow({ id, anchor, text, stay, leave, close }: TooltipWindowProps) {
  useEffect(() => {
    const moved = ({ target }: Event) => {
      if (target instanceof Node && target.contains(anchor)) close();
    };
    window.addEventListener("scroll", moved, { capture: true, passive: true });
    return () => window.removeEventListener("scroll", moved, { capture: true });
  });
  const { left, top, width, height } = anchor.getBoundingClientRect();
  return (
    <Radix.Provider>
      <Radix.Root open onOpenChange={(open) => !open && close()}>
        {createPortal(
          <Radix.Trigger asChild>
            <span aria-hidden className="pointer-events-none fixed" style={{ left, top, width, height }} />
          </Radix.Trigger>,
          document.body,
        )}
        <Radix.Portal>
          <Radix.Content
            id={id}
            sideOffset={6}
            collisionPadding={8}
            onPointerEnter={stay}
            onPointerLeave={leave}
            className="fade-in-0 z-50 max-w-80 animate-in rounded-md border border-line-strong bg-panel px-2 py-1 text-ink-2 text-small shadow-float"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
