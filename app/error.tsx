"use client";

import { later } from "@/components/ui/later";

/** No page needs it to be drawn; where not even it can be loaded, the sentence stays. */
const QueryFailure = later(
  () => import("@/components/shell/query-failure").then((part) => part.QueryFailure),
  <p role="alert">Could not load Handrail.</p>,
);

export default function RootError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main className="grid h-dvh place-items-center">
      <QueryFailure what="Handrail" error={error} onRetry={retry} />
    </main>
  );
}
