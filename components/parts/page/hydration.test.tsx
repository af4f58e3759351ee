import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterAll, expect, it, vi } from "vitest";
import { HealthContext } from "@/components/parts/live/use-health";
import { keyOf } from "@/lib/api/hooks/query";
import { AfterHydration } from "./after-hydration";
import { PageSkeleton } from "./page-skeleton";

const pathname = vi.hoisted(() => vi.fn(() => "/runs"));
// Test files share their modules: what is mocked is loaded for this one alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("next/navigation");
  vi.resetModules();
});
vi.mock("next/navigation", async (original) => ({ ...(await original<object>()), usePathname: pathname }));

const page = (queryClient: QueryClient, title = "Runs") => (
  <QueryClientProvider client={queryClient}>
    <PageSkeleton title={title} />
  </QueryClientProvider>
);

const LIVE = { is: "live" } as const;

it.each([
  ["Runs", "/runs"],
  ["Approvals", "/approvals"],
])("%s, sent by the server after the navigation is live already, is hydrated as it was drawn", async (title, path) => {
  pathname.mockReturnValue(path);
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = renderToString(page(new QueryClient(), title));
  const queryClient = new QueryClient();
  const byAttention = { approval: 3 };
  queryClient.setQueryData(keyOf("/v1/overview", {}), { byAttention, planApprovals: 0, openCompensations: 0 });
  queryClient.setQueryData(keyOf("/v1/session", {}), { name: "ada", actions: [], workflows: null });
  const live = { subscribe: () => () => undefined, health: () => LIVE };
  const mismatches = vi.fn();
  const root = await act(async () =>
    hydrateRoot(container, <HealthContext value={live}>{page(queryClient, title)}</HealthContext>, {
      onRecoverableError: mismatches,
    }),
  );
  expect(mismatches).not.toHaveBeenCalled();
  expect(screen.getByText("Live")).toBeDefined();
  expect(screen.queryAllByText("3")).toHaveLength(path === "/approvals" ? 1 : 0);
  await act(async () => root.unmount());
  container.remove();
});

it("a page that is opened is hydrated as it waits, and one that is navigated to appears at once", async () => {
  const drawn = vi.fn();
  const Shown = ({ text }: { text: string }) => {
    drawn(text);
    return <p>{text}</p>;
  };
  const page = (
    <AfterHydration fallback={<Shown text="on its way" />}>
      <Shown text="there" />
    </AfterHydration>
  );
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = renderToString(page);
  expect(container.textContent).toBe("on its way");
  const mismatches = vi.fn();
  const root = await act(async () => hydrateRoot(container, page, { onRecoverableError: mismatches }));
  expect(mismatches).not.toHaveBeenCalled();
  expect(container.textContent).toBe("there");
  await act(async () => root.unmount());
  container.remove();

  drawn.mockClear();
  render(page);
  expect(drawn.mock.calls).toEqual([["there"]]);
});
