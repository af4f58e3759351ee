import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

export function Disclosure({
  summary,
  children,
  className,
  onToggle,
}: {
  summary: ReactNode;
  children: ReactNode;
  className?: string;
  /** For content that is requested only when opened. */
  onToggle?: (open: boolean) => void;
}) {
  return (
    <details className={className} {...(onToggle && { onToggle: ({ currentTarget }) => onToggle(currentTarget.open) })}>
      <summary className="flex min-h-6 list-none items-center gap-1 text-ink-3 text-small hover:text-ink max-md:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-3.5 transition-transform [[open]>summary>&]:rotate-90" />
        {summary}
      </summary>
      {children}
    </details>
  );
}
