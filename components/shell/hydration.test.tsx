import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { queryKeys } from "@/lib/api/hooks/query-keys";
import type { LiveStatus } from "@/lib/api/hooks/use-live-changes";
import { LiveProvider } from "./live-provider";
import { PageSkeleton } from "./page-skeleton";

const heard = vi.hoisted(() => ({ status: "connecting" as LiveStatus }));
vi.mock("@/lib/api/hooks/use-live-changes", () => ({ useLiveChanges: () => heard.status }));

function page(queryClient: QueryClient) {
  return (
    <QueryClientProvider client={queryClient}>
      <LiveProvider>
        <PageSkeleton title="Runs" />
      </LiveProvider>
    </QueryClientProvider>
  );
}

it("a page that the server sends after the navigation is live already is hydrated as it was drawn", async () => {
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = renderToString(page(new QueryClient()));
  heard.status = "live";
  const queryClient = new QueryClient();
  queryClient.setQueryData(queryKeys.me(), { name: "ada", actions: [], workflows: null });
  const mismatches = vi.fn();
  await act(async () => hydrateRoot(container, page(queryClient), { onRecoverableError: mismatches }));
  expect(mismatches).not.toHaveBeenCalled();
  expect(screen.getByText("Live")).toBeDefined();
});
