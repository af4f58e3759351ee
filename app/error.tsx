"use client";

import { later } from "@/components/ui/later";

/** Loaded on demand; if even that fails, the sentence stays. */
const PageFailure = later(
  () => import("@/components/parts/page/page-failure").then((part) => part.PageFailure),
  <p role="alert">Handrail could not be drawn.</p>,
);

export default function RootError({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <main className="grid h-dvh place-items-center">
      <PageFailure what="Handrail" error={error} retry={retry} />
    </main>
  );
}
