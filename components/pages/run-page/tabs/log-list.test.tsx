import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { aRun, at } from "@/components/testing/a-run";
import { LogList } from "./log-list";

const PAGES = 3;
const line = (id: number) => ({
  ...{ id: String(id), at: at(id), message: `line ${id}`, data: null },
  ...{ during: "code", step: null, attempt: null },
});

/** A log of three pages of one line each. */
function answerPages(): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const page = Number(new URL(address, "http://localhost").searchParams.get("cursor") ?? 1);
    asked.push(String(page));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const nextCursor = page < PAGES ? String(page + 1) : null;
    return Response.json({ lines: [line(page)], nextCursor, full: false, updatedAt: at(0) });
  });
  return asked;
}

const aClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });
const showing =
  (search: string, client = aClient()) =>
  ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <NuqsTestingAdapter searchParams={search}>{children}</NuqsTestingAdapter>
    </QueryClientProvider>
  );

afterEach(() => vi.unstubAllGlobals());

it("a log that is followed is read to its end, and kept in sight of it", async () => {
  const asked = answerPages();
  const scrolled = vi.fn();
  Element.prototype.scrollIntoView = scrolled;
  render(<LogList run={aRun()} />, { wrapper: showing("?follow=true") });
  await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(PAGES));
  expect(asked).toEqual(["1", "2", "3"]);
  expect(scrolled).toHaveBeenCalled();
});

it("is read to its end while the run changes all the time", async () => {
  answerPages();
  Element.prototype.scrollIntoView = vi.fn();
  const client = aClient();
  let over = false;
  const changes = (async () => {
    while (!over) await client.invalidateQueries();
  })();
  render(<LogList run={aRun()} />, { wrapper: showing("?follow=true", client) });
  try {
    await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(PAGES));
  } finally {
    over = true;
    await changes;
  }
});

it("one that is not stays at its beginning", async () => {
  const asked = answerPages();
  render(<LogList run={aRun()} />, { wrapper: showing("") });
  expect(await screen.findByRole("button", { name: "More" })).toBeDefined();
  expect(asked).toEqual(["1"]);
});

it("a line that the address names is read as far as it is, marked and in sight", async () => {
  const asked = answerPages();
  const scrolled = vi.fn();
  Element.prototype.scrollIntoView = scrolled;
  render(<LogList run={aRun()} />, { wrapper: showing("?line=2") });
  await waitFor(() => expect(screen.getByRole("listitem", { current: true }).textContent).toContain("line 2"));
  expect(asked).toEqual(["1", "2"]);
  expect(scrolled).toHaveBeenCalled();
});
