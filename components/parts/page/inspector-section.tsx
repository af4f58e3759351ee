import type { ReactNode } from "react";

interface InspectorSectionProps {
  title?: string;
  /** Where there is a title: at the other end of its line. */
  action?: ReactNode;
  children: ReactNode;
}

/** One part of an inspector: a quiet heading, then what it is about. */
export function InspectorSection({ title, action, children }: InspectorSectionProps) {
  return (
    <section className="border-line border-b px-4 py-3.5 last:border-b-0">
      {title && (
        <div className="mb-1.5 flex items-baseline justify-between gap-3 text-small">
          <h3 className="text-ink-3">{title}</h3>
          {action}
        </div>
      )}
      {children}
    </section>
  );
}
