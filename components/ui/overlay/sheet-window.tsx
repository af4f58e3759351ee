"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { classNames } from "@/lib/class-names";
import { Button } from "../button";
import { PHONE, useMediaQuery } from "../hooks/use-media-query";
import type { SheetProps } from "./sheet-props";
import { usePullDown } from "./use-pull-down";
import { useReturnFocus } from "./use-return-focus";

/** The window of a sheet, with what keeps the focus in it and the page still. */
export function SheetWindow({ open, onClose, title, action, children }: SheetProps) {
  const focus = useReturnFocus();
  const phone = useMediaQuery(PHONE);
  const pull = usePullDown(onClose);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in-0 fixed inset-0 z-40 animate-in bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            focus.remember();
            // The first control is not what the sheet was opened for.
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={focus.giveBack}
          style={pull.by > 0 ? { transform: `translateY(${pull.by}px)` } : undefined}
          className={classNames(
            "fade-in-0 fixed z-50 flex animate-in flex-col border-line-strong bg-panel shadow-float outline-none",
            "max-md:slide-in-from-bottom-8 max-md:inset-x-0 max-md:bottom-0 max-md:max-h-[88dvh] max-md:min-h-[50dvh] max-md:rounded-t-xl max-md:border-t max-md:pb-[env(safe-area-inset-bottom)]",
            "md:slide-in-from-right-8 md:inset-y-0 md:right-0 md:w-[420px] md:border-l",
          )}
        >
          <div className="border-line border-b max-md:touch-none" {...(phone && pull.head)}>
            <div aria-hidden className="mx-auto mt-2 h-1 w-9 rounded-full bg-line-strong md:hidden" />
            <div className="flex items-center gap-1 py-1 pr-2 pl-4">
              <Radix.Title className="min-w-0 flex-1 truncate font-semibold">{title}</Radix.Title>
              {action}
              <Radix.Close asChild>
                <Button variant="ghost" size="square" aria-label="Close">
                  <X aria-hidden className="size-4" />
                </Button>
              </Radix.Close>
            </div>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
