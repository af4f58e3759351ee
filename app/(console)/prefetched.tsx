import { setTimeout as delay } from "node:timers/promises";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { AfterHydration } from "@/components/parts/page/after-hydration";
import { ShownPosition } from "@/components/parts/page/shown-position";
import type { Read } from "@/lib/api/client/client";
import { readerOfPage } from "@/lib/api/pages/page";

/** How long a page waits for its prefetched data; the browser requests slower data itself. */
const PATIENCE_MS = 1_000;

interface PrefetchedProps {
  /** Prefetches what the page shows first. */
  ask: (queryClient: QueryClient, read: Read) => Promise<unknown>;
  /** Until hydration. */
  loading: ReactNode;
  children: ReactNode;
}

/** Prefetches a page's first read. If it fails, the browser repeats it and shows why it fails. */
export async function Prefetched({ ask, loading, children }: PrefetchedProps) {
  await connection();
  const reader = await readerOfPage();
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const asking = Promise.resolve()
    .then(() => reader && ask(queryClient, reader.read))
    .catch(() => undefined);
  await Promise.race([asking, delay(PATIENCE_MS)]);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      {reader && <ShownPosition shown={reader.shown()} />}
      <AfterHydration fallback={loading}>{children}</AfterHydration>
    </HydrationBoundary>
  );
}
