import type { ReactNode } from "react";
import { Card } from "@/components/ui/layout/card";

export function Specimens({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <Card title={title} note={note}>
      <div className="grid gap-4 p-4 pt-2">{children}</div>
    </Card>
  );
}

/** One part in its states, side by side. */
export function Specimen({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-1.5 md:grid-cols-[132px_minmax(0,1fr)]">
      <h3 className="text-ink-3 text-small md:pt-1">{name}</h3>
      <div className="flex min-w-0 flex-wrap items-center gap-2.5">{children}</div>
    </div>
  );
}
