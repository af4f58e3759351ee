"use client";

import { DropdownMenu as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface PointMenuProps {
  label: string;
  /** Where it was pressed, in the window. */
  at: { x: number; y: number };
  onClose: () => void;
  /** `MenuItem`s of `menu-parts.tsx`. */
  children: ReactNode;
}

/** The menu of a thing itself, where it was pressed. Its code comes later than the page's: import it so. */
export function PointMenu({ label, at, onClose, children }: PointMenuProps) {
  return (
    <Radix.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Radix.Trigger asChild>
        <span aria-hidden className="pointer-events-none fixed size-0" style={{ left: at.x, top: at.y }} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          aria-labelledby={undefined}
          align="start"
          collisionPadding={8}
          // The caller decides where the focus goes.
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="fade-in-0 z-50 min-w-48 max-w-[min(360px,calc(100vw-16px))] animate-in rounded-lg border border-line-strong bg-panel p-1 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
