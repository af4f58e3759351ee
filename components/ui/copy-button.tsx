"use client";

import { Check, Copy } from "lucide-react";
import { useCopy } from "@/components/ui/hooks/use-copy";
import { classNames } from "@/lib/class-names";

/** `what` completes "Copy …"; a text that is expensive to build is built when it is copied. */
export function CopyButton({
  text,
  what,
  className,
}: {
  text: string | (() => string);
  what: string;
  className?: string;
}) {
  const { copied, copy } = useCopy(() => (typeof text === "string" ? text : text()));
  return (
    <button
      type="button"
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      onClick={(event) => {
        event.stopPropagation();
        copy();
      }}
      className={classNames(
        "[&:not(.absolute)]:relative inline-grid size-6 shrink-0 place-items-center rounded text-ink-3 hover:bg-gray-soft hover:text-ink max-md:before:absolute max-md:before:-inset-2.5",
        className,
      )}
    >
      {copied ? <Check aria-hidden className="size-3.5 text-green" /> : <Copy aria-hidden className="size-3.5" />}
      <span aria-live="polite" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </button>
  );
}
