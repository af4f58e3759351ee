import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";

interface ChipButtonProps {
  on: boolean;
  onClick: () => void;
  /** What it says in short, whole. */
  title?: string | undefined;
  children: ReactNode;
}

/** One of a row of filters, pressed or not. */
export function ChipButton({ on, onClick, title, children }: ChipButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      title={title}
      data-ring="inside"
      onClick={onClick}
      className={classNames(
        "flex h-11 short:h-8 shrink-0 items-center gap-1.5 rounded-full border px-3 transition-colors md:h-[26px] md:gap-1 md:px-2",
        on ? "border-line-strong bg-panel text-ink shadow-card" : "border-transparent text-ink-2 hover:bg-gray-soft",
      )}
    >
      {children}
    </button>
  );
}
