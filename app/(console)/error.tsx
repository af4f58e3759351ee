"use client";

import { PageFailure } from "@/components/parts/page/page-failure";

export default function ConsoleError({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return <PageFailure what="This page" error={error} retry={retry} />;
}
