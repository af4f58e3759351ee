import type { ReactNode } from "react";
import { BrandMark } from "@/components/parts/page/brand";

/** The frame of the pages before sign-in: it shows nothing of the inside. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-[360px]">
        <p className="mb-4 flex items-center justify-center gap-2.5 font-semibold text-[14px] tracking-tight">
          <BrandMark />
          Handrail
        </p>
        <section className="rounded-[10px] border border-line bg-panel p-5 shadow-card">
          <h1 className="mb-4 font-semibold text-title tracking-tight">{title}</h1>
          {children}
        </section>
      </div>
    </main>
  );
}
