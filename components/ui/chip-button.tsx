import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";

/** One of a row of filters, pressed or not. */
export function ChipButton({ on, onClick, children }: { on: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      data-ring="inside"
      onClick={onClick}
      className={classNames(
        "flex h-10 shrink-0 items-center gap-1.5 rounded-full border px-3 transition-colors md:h-[26px] md:px-2.5",
        on ? "border-line-strong bg-panel text-ink shadow-card" : "border-transparent text-ink-2 hover:bg-gray-soft",
      )}
    >
      {children}
    </button>
  );
}
