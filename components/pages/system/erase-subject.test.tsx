import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { keyOf } from "@/lib/api/hooks/query";
import { ACTIONS } from "@/lib/engine/access/permission";
import { EraseSubject } from "./erase-subject";

// Test files share their modules: what is mocked is loaded for this one alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("next/navigation");
  vi.resetModules();
});
vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }) }));
afterEach(() => vi.unstubAllGlobals());

function show(actions: readonly string[]) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body?: string } = {}) => {
    if (body) sent.push(JSON.parse(body));
    return Response.json({ error: { code: "internal", message: "x", details: {}, requestId: "r" } }, { status: 500 });
  });
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  queryClient.setQueryData(keyOf("/v1/session", {}), { name: "ada", actions, workflows: null });
  render(
    <QueryClientProvider client={queryClient}>
      <EraseSubject />
    </QueryClientProvider>,
  );
  return sent;
}

it("asks for a plan of the runs with the tag, and for nothing before both fields are filled", async () => {
  const sent = show(ACTIONS);
  const button = screen.getByRole("button", { name: "Preview the erasure…" });
  fireEvent.change(screen.getByLabelText("Tag"), { target: { value: "email" } });
  fireEvent.submit(button.closest("form") as HTMLFormElement);
  expect(sent).toEqual([]);
  fireEvent.change(screen.getByLabelText("Value"), { target: { value: " ada@example.com " } });
  fireEvent.submit(button.closest("form") as HTMLFormElement);
  await vi.waitFor(() =>
    expect(sent).toEqual([{ act: "erase", params: {}, selection: { filter: { tags: { email: "ada@example.com" } } } }]),
  );
});

it("says why an operator may not", () => {
  show(ACTIONS.filter((action) => action !== "run.erase"));
  expect(screen.getByRole("button", { name: "Preview the erasure…" }).getAttribute("aria-disabled")).toBe("true");
});
