import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Telling } from "@/components/parts/toasts/tell";
import { at } from "@/components/testing/a-run";
import type { SavedView } from "@/lib/api/contract/views";
import { useViewToasts } from "./use-view-toasts";

const toasts: { title: string; telling: Telling | undefined }[] = [];
// Test files share their modules: what is mocked is loaded for this one alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("@/components/parts/toasts/tell");
  vi.resetModules();
});
vi.mock("@/components/parts/toasts/tell", () => ({
  tell: (title: string, telling?: Telling) => toasts.push({ title, telling }),
  tellRefusal: vi.fn(),
}));

const ID = "019aa5e0-0000-7000-8000-00000000000a";
const VIEW: SavedView = {
  id: ID,
  name: "Stuck gold orders",
  owner: "ada",
  mine: true,
  shared: false,
  mayChange: true,
  state: { status: "failed" },
  revision: 3,
  updatedAt: at(0),
  updatedBy: "ada",
};

const sent: { method: string | undefined; path: string; body: unknown }[] = [];
beforeEach(() => {
  toasts.length = 0;
  sent.length = 0;
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
    sent.push({ method, path, body: JSON.parse(String(body)) });
    return Response.json({ ...VIEW, id: ID.replace("a5e0", "ffff") });
  });
});
afterEach(() => vi.unstubAllGlobals());

function views() {
  const queryClient = new QueryClient();
  return renderHook(() => useViewToasts(), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  }).result.current;
}

async function takeBack() {
  toasts.at(-1)?.telling?.undo?.();
  await vi.waitFor(() => expect(toasts).toHaveLength(2), { timeout: 15_000 });
}

const { name, shared, state } = VIEW;

it("a renamed view gets its name back, unless it has changed since", async () => {
  views().changed(VIEW, { ...VIEW, name: "Gold", shared: true, revision: 4 });
  expect(toasts[0]?.title).toBe("Saved “Gold” for the team.");
  await takeBack();
  const body = { name, shared, state, revision: 4 };
  expect(sent).toEqual([{ method: "PUT", path: `/api/v1/views/${ID}`, body }]);
  expect(toasts[1]?.title).toBe("“Stuck gold orders” was restored");
});

it("a deleted view is saved again, with the way to it", async () => {
  views().deleted(VIEW);
  await takeBack();
  expect(sent).toEqual([{ method: "POST", path: "/api/v1/views", body: { name, shared, state } }]);
  const about = { name, href: `/runs?view=${ID.replace("a5e0", "ffff")}` };
  expect(toasts[1]).toEqual({ title: "“Stuck gold orders” was restored", telling: { about } });
});

it("the deleted view of another is not offered to come back as one's own", () => {
  views().deleted({ ...VIEW, mine: false, shared: true });
  expect(toasts[0]?.telling?.undo).toBeUndefined();
});
