import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";

export function KeyboardKey({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      className={classNames(
        "inline-block min-w-[18px] rounded border border-line-strong border-b-2 px-1 text-center font-mono text-[10.5px] text-ink-3 leading-4",
        className,
      )}
    >
      {children}
    </kbd>
  );
}
