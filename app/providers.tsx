"use client";

import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useState } from "react";
import { signInPage } from "@/components/pages/sign-in/next-page";
import { DisplayAttributes } from "@/components/parts/theme/display";
import { ViewerFormatsProvider } from "@/components/parts/time/viewer-formats";
import { later } from "@/components/ui/later";
import { ApiError } from "@/lib/api/client/client";
import type { ViewerFormats } from "@/lib/format/viewer-formats";

const Toaster = later(() => import("@/components/ui/feedback/toaster").then((part) => part.Toaster));

/** Prefetched data counts as fresh for this long, so that it is not requested twice. */
const STALE_MS = 5_000;
const MAX_RETRIES = 2;

/**
 * Retrying helps only after a server error. A refusal is an answer; and while nothing answers, the page says so at once, and reads
 * again as soon as something does.
 */
function retry(failures: number, error: Error): boolean {
  const { status, code } = error instanceof ApiError ? error : { status: 500, code: "internal" };
  return status >= 500 && code !== "unavailable" && failures < MAX_RETRIES;
}

/** When the session has ended, goes to the sign-in page, which drops all that was read. */
function signInAgain(error: Error): void {
  if (error instanceof ApiError && error.code === "unauthenticated") location.assign(signInPage(location));
}

/** The library that blocks scrolling behind a dialog writes a style sheet, with the nonce that it finds here. */
function tellStyles(nonce: string): void {
  (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ ??= nonce;
}

interface ProvidersProps {
  /** The nonce of the page's response: scripts use the same one for what they write later. */
  nonce: string;
  formats: ViewerFormats;
  children: ReactNode;
}

export function Providers({ nonce: given, formats, children }: ProvidersProps) {
  const [nonce] = useState(given);
  tellStyles(nonce);
  const [queryClient] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { staleTime: STALE_MS, retry } },
        queryCache: new QueryCache({ onError: signInAgain }),
      }),
  );
  return (
    <ThemeProvider nonce={nonce} attribute="data-theme" defaultTheme="system" enableSystem disableTransitionOnChange>
      <DisplayAttributes />
      <QueryClientProvider client={queryClient}>
        <NuqsAdapter>
          <ViewerFormatsProvider formats={formats}>{children}</ViewerFormatsProvider>
        </NuqsAdapter>
      </QueryClientProvider>
      <Toaster />
    </ThemeProvider>
  );
}
