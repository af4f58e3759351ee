"use client";

import { later } from "@/components/ui/later";

/** Loaded on demand; if even that fails, the sentence stays. */
const QueryFailure = later(
  () => import("@/components/parts/page/query-failure").then((part) => part.QueryFailure),
  <p role="alert">Could not load Handrail.</p>,
);

export default function RootError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main className="grid h-dvh place-items-center">
      <QueryFailure what="Handrail" error={error} onRetry={retry} />
    </main>
  );
}
