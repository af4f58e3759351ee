import { setTimeout as delay } from "node:timers/promises";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { aListedRun, at } from "@/components/testing/a-run";
import { useOlderRuns } from "./use-older-runs";
import { useSteadyRuns } from "./use-steady-runs";

/** Three pages of one run each. */
const NEXT: Record<string, string> = { "": "b", b: "c" };

function aList(queryClient: QueryClient) {
  vi.stubGlobal("fetch", async (request: Request | string) => {
    const cursor = new URL(request instanceof Request ? request.url : request, location.href).searchParams.get(
      "cursor",
    );
    const id = cursor ?? "d";
    await delay(5); // as over a network: an answer at once would be seen together with its request
    return Response.json({
      runs: [aListedRun({ id })],
      nextCursor: NEXT[cursor ?? ""] ?? null,
      lookedBackTo: null,
      updatedAt: at(0),
    });
  });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  return renderHook(
    ({ atEnd }) => {
      const steady = useSteadyRuns({ filter: {}, paths: [], sort: "newest" });
      useOlderRuns(steady.query, atEnd);
      return steady.runs.map(({ id }) => id).join("");
    },
    { wrapper, initialProps: { atEnd: false } },
  );
}

it("a refetch that cancels the request for a page delays it, and does not end the list there", async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { result, rerender } = aList(queryClient);
  await waitFor(() => expect(result.current).toBe("d"));
  rerender({ atEnd: true });
  await act(() => queryClient.refetchQueries()); // as the live stream does, before the request is seen on the screen
  await waitFor(() => expect(result.current).toBe("dbc"));
});
