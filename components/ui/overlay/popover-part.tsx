"use client";

import { Popover as Radix } from "radix-ui";
import type { Opened } from "./opener";
import type { PopoverProps } from "./popover-props";

/** A small window beside what opened it; the page behind it goes on. */
export function PopoverPart({ trigger, label, children, align = "end", ...state }: PopoverProps & Opened) {
  return (
    <Radix.Root {...state}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="fade-in-0 z-50 flex max-h-[min(560px,var(--radix-popover-content-available-height))] w-[min(340px,calc(100vw-16px))] animate-in flex-col rounded-lg border border-line-strong bg-panel shadow-float outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
