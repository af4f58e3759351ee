import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";

export function Disclosure({
  summary,
  children,
  className,
}: {
  summary: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <details className={classNames("group/disclosure", className)}>
      <summary className="flex min-h-6 list-none items-center gap-1 text-ink-3 text-small hover:text-ink max-md:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open/disclosure:rotate-90" />
        {summary}
      </summary>
      {children}
    </details>
  );
}
