import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { queryKeys } from "@/lib/api/hooks/query-keys";
import { LiveContext } from "./live-provider";
import { PageSkeleton } from "./page-skeleton";

const page = (queryClient: QueryClient) => (
  <QueryClientProvider client={queryClient}>
    <PageSkeleton title="Runs" />
  </QueryClientProvider>
);

it("a page that the server sends after the navigation is live already is hydrated as it was drawn", async () => {
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = renderToString(page(new QueryClient()));
  const queryClient = new QueryClient();
  queryClient.setQueryData(queryKeys.me(), { name: "ada", actions: [], workflows: null });
  const live = { status: "live" as const, paused: false, setPaused: () => undefined };
  const mismatches = vi.fn();
  const root = await act(async () =>
    hydrateRoot(container, <LiveContext value={live}>{page(queryClient)}</LiveContext>, {
      onRecoverableError: mismatches,
    }),
  );
  expect(mismatches).not.toHaveBeenCalled();
  expect(screen.getByText("Live")).toBeDefined();
  await act(async () => root.unmount());
  container.remove();
});
