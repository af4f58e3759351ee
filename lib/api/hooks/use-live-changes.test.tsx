import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runQuery, runsQuery, workersQuery } from "./queries";
import { type StreamSign, useLiveChanges } from "./use-live-changes";

/** A browser's EventSource whose events the test sends. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readyState = 1;
  closed = false;
  constructor(readonly url: string) {
    super();
    FakeSource.all.push(this);
  }
  close() {
    this.closed = true;
  }
  say(name: string, data?: object) {
    act(() => {
      this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
    });
  }
}

const asked = {
  run: vi.fn(async () => 1),
  other: vi.fn(async () => 1),
  list: vi.fn(async () => 1),
  workers: vi.fn(async () => 1),
};

function Screen({ paused = false }: { paused?: boolean }) {
  const [sign, setSign] = useState<StreamSign>();
  useLiveChanges({ paused, onSign: setSign });
  useQuery({ queryKey: runQuery("a").queryKey, queryFn: asked.run });
  useQuery({ queryKey: runQuery("b").queryKey, queryFn: asked.other });
  useQuery({ queryKey: runsQuery({}).queryKey, queryFn: asked.list });
  useQuery({ queryKey: workersQuery().queryKey, queryFn: asked.workers });
  return <p>{sign}</p>;
}

const client = () => new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });
const shown = (queryClient: QueryClient, paused = false) => (
  <QueryClientProvider client={queryClient}>
    <Screen paused={paused} />
  </QueryClientProvider>
);
const calls = () => Object.values(asked).map((query) => query.mock.calls.length);
const latest = () => FakeSource.all.at(-1) as FakeSource;

beforeEach(() => {
  FakeSource.all = [];
  vi.stubGlobal("EventSource", FakeSource);
  for (const query of Object.values(asked)) query.mockClear();
});
afterEach(() => vi.unstubAllGlobals());

async function open() {
  const queryClient = client();
  const view = render(shown(queryClient));
  await waitFor(() => expect(calls()).toEqual([1, 1, 1, 1]));
  latest().say("open");
  await screen.findByText("open");
  return { ...view, queryClient };
}

it("asks again for the run that changed and for the lists, and for nothing else", async () => {
  await open();
  latest().say("change", { runIds: ["a"], many: false });
  await waitFor(() => expect(calls()).toEqual([2, 1, 2, 1]));
});

it("gathers what changes while it asks", async () => {
  await open();
  for (let index = 0; index < 20; index++) latest().say("change", { runIds: ["a"], many: false });
  await waitFor(() => expect(calls()).toEqual([3, 1, 3, 1]), { timeout: 3_000 });
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(calls()).toEqual([3, 1, 3, 1]);
});

it("asks for every run when too many changed, and for everything when changes were missed", async () => {
  await open();
  latest().say("change", { runIds: [], many: true });
  await waitFor(() => expect(calls()).toEqual([2, 2, 2, 1]));
  latest().say("resync", { runIds: [], many: true });
  await waitFor(() => expect(calls()).toEqual([3, 3, 3, 2]), { timeout: 3_000 });
});

it("says that the stream is down, and looks at everything when it is back", async () => {
  await open();
  latest().say("error");
  await screen.findByText("closed");
  latest().say("open");
  await screen.findByText("open");
  await waitFor(() => expect(calls()).toEqual([2, 2, 2, 2]));
});

it("looks at everything when the stream opens long after the page was read", async () => {
  const queryClient = client();
  render(shown(queryClient));
  await waitFor(() => expect(calls()).toEqual([1, 1, 1, 1]));
  queryClient.setQueryData([...runQuery("b").queryKey], 1, { updatedAt: Date.now() - 9_000 });
  latest().say("open");
  await waitFor(() => expect(calls()).toEqual([2, 2, 2, 2]));
});

it("holds still while paused, and catches up after", async () => {
  const { rerender, queryClient } = await open();
  const first = latest();
  rerender(shown(queryClient, true));
  await waitFor(() => expect(first.closed).toBe(true));
  rerender(shown(queryClient));
  await waitFor(() => expect(calls()).toEqual([2, 2, 2, 2]));
  expect(latest()).not.toBe(first);
});

it("lets go of the stream with the screen", async () => {
  const { unmount } = await open();
  unmount();
  expect(latest().closed).toBe(true);
});

it("passes on what heartbeats say of the database", async () => {
  await open();
  latest().say("heartbeat", { database: true });
  await screen.findByText("answers");
  latest().say("heartbeat", { database: false });
  await screen.findByText("silent");
});

it("opens a stream again that was refused, or that has fallen silent", async () => {
  await open();
  vi.useFakeTimers();
  try {
    const first = latest();
    first.readyState = FakeSource.CLOSED;
    first.say("error");
    act(() => vi.advanceTimersByTime(3_000));
    const second = latest();
    expect(second).not.toBe(first);
    act(() => vi.advanceTimersByTime(15_000));
    second.say("heartbeat", { database: true });
    act(() => vi.advanceTimersByTime(15_000));
    expect(latest()).toBe(second);
    act(() => vi.advanceTimersByTime(6_000));
    expect([second.closed, latest() === second]).toEqual([true, false]);
  } finally {
    vi.useRealTimers();
  }
});
