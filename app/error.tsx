"use client";

import { QueryFailure } from "@/components/shell/query-failure";

export default function RootError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main className="grid h-dvh place-items-center">
      <QueryFailure what="Handrail" error={error} onRetry={retry} />
    </main>
  );
}
