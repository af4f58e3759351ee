"use client";

import { QueryFailure } from "@/components/parts/page/query-failure";

export default function ConsoleError({ error, retry }: { error: unknown; retry: () => void }) {
  return <QueryFailure what="this page" error={error} onRetry={retry} className="grid flex-1 place-items-center" />;
}
