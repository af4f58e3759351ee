import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";

interface CardProps {
  id?: string;
  title?: ReactNode;
  /** Quiet, beside the title. */
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
  className?: string;
}

export function Card({ id, title, note, action, children, className }: CardProps) {
  return (
    <section
      id={id}
      className={classNames("min-w-0 rounded-[10px] border border-line bg-panel shadow-card", className)}
    >
      {title && (
        <header className="flex min-h-11 flex-wrap items-center gap-x-2 px-4 pt-1 max-md:py-1">
          <h2 className="font-semibold">{title}</h2>
          {note !== undefined && note !== "" && <span className="text-ink-3">{note}</span>}
          {action && <span className="ml-auto">{action}</span>}
        </header>
      )}
      {children}
    </section>
  );
}
