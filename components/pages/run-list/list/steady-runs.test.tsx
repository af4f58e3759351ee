import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { aListedRun, at } from "@/components/testing/a-run";
import { useSteadyRuns } from "./use-steady-runs";

/** Runs, one letter each, newest first; the list's next request is answered with the last `answer`. */
function aList() {
  let now = "";
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  vi.stubGlobal("fetch", async () =>
    Response.json({
      runs: [...now].map((id) => aListedRun({ id })),
      nextCursor: null,
      lookedBackTo: null,
      updatedAt: at(0),
    }),
  );
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const asked = { filter: { status: ["failed" as const] }, paths: [], sort: "newest" as const };
  const answer = async (ids: string) => {
    now = ids;
    await act(async () => queryClient.refetchQueries());
  };
  now = "dcba";
  const { result } = renderHook(() => useSteadyRuns(asked), { wrapper });
  const seen = () =>
    result.current.runs.map(({ id }) => (result.current.left.has(id) ? id.toUpperCase() : id)).join("");
  const shows = (expected: [string, number]) => waitFor(() => expect([seen(), result.current.held]).toEqual(expected));
  return { answer, shows, result };
}

it("a list does not move: what is new waits, what has left stays greyed, until it is refreshed", async () => {
  const { answer, shows, result } = aList();
  await shows(["dcba", 0]);
  await answer("edca");
  await shows(["dcBa", 1]);
  await answer("fedca");
  await shows(["dcBa", 2]);
  act(() => result.current.refresh());
  await shows(["fedca", 0]);
  await answer("");
  await shows(["FEDCA", 0]);
});

it("so many are new that the answer has none of what is read: that stays, unmarked", async () => {
  const { answer, shows } = aList();
  await shows(["dcba", 0]);
  await answer("zyxw");
  await shows(["dcba", 4]);
});
