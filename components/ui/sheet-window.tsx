"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { Button } from "./button";
import type { SheetProps } from "./sheet-props";
import { useReturnFocus } from "./use-return-focus";

/** The window of a sheet, with what keeps the focus in it and the page still. */
export function SheetWindow({ open, onClose, title, children }: SheetProps) {
  const focus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in-0 fixed inset-0 z-40 animate-in bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className="slide-in-from-right-8 fade-in-0 fixed inset-y-0 right-0 z-50 flex w-full animate-in flex-col bg-panel shadow-float outline-none md:w-[420px] md:border-line-strong md:border-l"
        >
          <div className="flex items-center justify-between gap-3 border-line border-b py-1 pr-2 pl-4">
            <Radix.Title className="truncate font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <Button variant="ghost" size="square" aria-label="Close">
                <X aria-hidden className="size-4" />
              </Button>
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
