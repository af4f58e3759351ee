import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, renderHook, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { type Cell, useOverviews, useRunsOfCells } from "./cell-hooks";

const cells: Cell[] = [
  { name: "eu", url: "https://eu.example", isOwn: true },
  { name: "us", url: "https://us.example", isOwn: false },
];
/** Of each cell, so many runs, in turn with the other's. */
const RUNS = 1_000;

function Screen({ wanted, workflow }: { wanted: number; workflow: string }) {
  const { runs, to } = useRunsOfCells(cells, { workflow: [workflow] }, { runs: wanted, searches: 1 });
  return <p>{`${runs.length} of ${workflow}, the last ${runs.at(-1)?.id}, more from ${to}`}</p>;
}

const asked: string[] = [];

function stubCells() {
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    const query = new URL(address, "http://localhost").searchParams;
    const from = Number(query.get("cursor") ?? 0);
    const to = Math.min(from + Number(query.get("limit")), RUNS);
    const isUs = address.includes("/cells/us/");
    const idOf = (place: number) => String(90_000 - 2 * (from + place) - (isUs ? 1 : 0));
    const runs = Array.from({ length: to - from }, (_, place) => ({ id: idOf(place) }));
    return Response.json({ runs, nextCursor: to < RUNS ? String(to) : null, lookedBackTo: null });
  });
}

afterEach(() => {
  asked.length = 0;
  vi.unstubAllGlobals();
});

it("reads each cell as far down as the list of all needs, and anew for another filter", async () => {
  stubCells();
  const queryClient = new QueryClient();
  const screenOf = (workflow: string) => (
    <QueryClientProvider client={queryClient}>
      <Screen wanted={800} workflow={workflow} />
    </QueryClientProvider>
  );
  const { rerender } = render(screenOf("a"));
  await screen.findByText(/^800 of a, the last 89201, more from 89201$/);
  expect(asked.length).toBeLessThanOrEqual(6);
  rerender(screenOf("b"));
  await screen.findByText(/^800 of b, the last 89201/);
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await screen.findByText(/^800 of b, the last 89201/);
  queryClient.clear();
});

it("a cell that did not answer is named for it also while it is asked again, and keeps what it had said", async () => {
  let answer: () => Promise<Response> = async () => Response.json({ workers: { live: 2 } });
  vi.stubGlobal("fetch", () => answer());
  const queryClient = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useOverviews(cells.slice(1))[0], { wrapper });
  await waitFor(() => expect(result.current?.answer).toEqual({ workers: { live: 2 } }));
  answer = () => Promise.reject(new TypeError("gone"));
  act(() => result.current?.retry());
  await waitFor(() => expect(result.current?.error).not.toBeNull());
  answer = () => new Promise(() => undefined);
  act(() => result.current?.retry());
  await waitFor(() => expect(queryClient.isFetching()).toBe(1));
  expect(result.current).toMatchObject({ answer: { workers: { live: 2 } }, error: { code: "unreachable" } });
  queryClient.clear();
});
