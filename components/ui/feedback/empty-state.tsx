import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  /** The next step. */
  action?: ReactNode;
  className?: string;
}

export function EmptyState({ icon, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={classNames("mx-auto flex max-w-md flex-col items-center px-6 py-14 text-center", className)}>
      {icon && <div className="mb-3 text-ink-3 [&_svg]:size-7 [&_svg]:stroke-[1.4]">{icon}</div>}
      <p className="font-semibold text-title">{title}</p>
      {children && <div className="mt-1 w-full text-balance text-ink-2">{children}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
