import type { ReactNode } from "react";

/** One part of an inspector: a quiet heading, then what it is about. */
export function InspectorSection({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="border-line border-b px-4 py-3.5 last:border-b-0">
      {title && <h3 className="mb-1.5 text-ink-3 text-small">{title}</h3>}
      {children}
    </section>
  );
}
