import { setTimeout as delay } from "node:timers/promises";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { AfterHydration } from "@/components/shell/after-hydration";
import type { Read } from "@/lib/api/client/client";
import { readerOfPage } from "@/lib/api/pages/page";

/** A page waits this long for what it brings along; what takes longer the browser asks for itself. */
const PATIENCE_MS = 1_000;

interface PrefetchedProps {
  /** Fills the client with what the page shows first. */
  ask: (queryClient: QueryClient, read: Read) => Promise<unknown>;
  /** Until the browser has taken over. */
  loading: ReactNode;
  children: ReactNode;
}

/** Brings a page's first read along. A read that fails is asked again by the browser, which shows why it fails. */
export async function Prefetched({ ask, loading, children }: PrefetchedProps) {
  await connection();
  const read = await readerOfPage();
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const asking = Promise.resolve()
    .then(() => ask(queryClient, read))
    .catch(() => undefined);
  await Promise.race([asking, delay(PATIENCE_MS)]);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <AfterHydration fallback={loading}>{children}</AfterHydration>
    </HydrationBoundary>
  );
}
