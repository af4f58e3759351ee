import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";

/** Names at left, values at right. */
export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <dl
      className={classNames(
        "grid grid-cols-[minmax(84px,116px)_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1.5",
        className,
      )}
    >
      {children}
    </dl>
  );
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="min-w-0 break-words text-ink-3">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
