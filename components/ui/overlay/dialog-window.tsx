"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { classNames } from "@/lib/class-names";
import { Button } from "../button";
import { PHONE } from "../hooks/use-media-query";
import type { DialogProps } from "./dialog-props";
import { useReturnFocus } from "./use-return-focus";

/** The window of a dialog, with what keeps the focus in it and the page still. */
export function DialogWindow({ open, onOpenChange, title, description, footer, wide = false, children }: DialogProps) {
  const focus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in-0 fixed inset-0 z-40 animate-in bg-veil" />
        <Radix.Content
          {...(description === undefined && { "aria-describedby": undefined })}
          onOpenAutoFocus={(event) => {
            focus.remember();
            focusFirstField(event);
          }}
          onCloseAutoFocus={focus.giveBack}
          className={classNames(
            "fade-in-0 fixed z-50 flex animate-in flex-col bg-panel shadow-float outline-none",
            "max-md:slide-in-from-bottom-6 max-md:inset-0",
            "md:zoom-in-[0.98] md:top-1/2 md:left-1/2 md:max-h-[min(86dvh,860px)] md:w-[min(560px,calc(100vw-48px))] md:-translate-x-1/2 md:-translate-y-1/2 md:rounded-xl md:border md:border-line-strong",
            wide && "md:w-[min(720px,calc(100vw-48px))]",
          )}
        >
          <div className="flex items-start gap-3 px-4 pt-4 pb-3 md:px-5">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-balance font-semibold text-title tracking-tight">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-0.5 text-ink-3">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <Button variant="ghost" size="square" aria-label="Close" className="-mt-1 -mr-2">
                <X aria-hidden className="size-4" />
              </Button>
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
          {footer && (
            <div className="flex flex-wrap items-center justify-end gap-2 border-line border-t bg-sunken px-4 py-3 md:rounded-b-xl md:px-5">
              {footer}
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The first field has the focus; on a phone none has, because its keyboard would cover the dialog. */
function focusFirstField(event: Event): void {
  const content = event.currentTarget as HTMLElement;
  const fields = content.querySelectorAll<HTMLElement>("input:not([type=checkbox], [type=radio]), textarea");
  const field = [...fields].find((one) => !one.closest("details:not([open])"));
  const phone = matchMedia(PHONE).matches;
  if (!field && !phone) return;
  event.preventDefault();
  (phone ? content : field)?.focus();
}
