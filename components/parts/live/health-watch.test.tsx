import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/api/client/client";
import { keyOfCell } from "@/lib/api/hooks/query";
import { HealthWatch } from "./health-watch";

let answer: () => Promise<number>;
let queryClient: QueryClient;
let watch: HealthWatch;
let end: () => void;

/** A page that reads one thing every ten seconds. */
beforeEach(async () => {
  vi.useFakeTimers();
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  answer = async () => 1;
  watch = new HealthWatch(queryClient);
  const read = new QueryObserver(queryClient, { queryKey: ["read"], queryFn: () => answer(), refetchInterval: 10_000 });
  const stops = [watch.start(), read.subscribe(() => undefined)];
  end = () => {
    for (const stop of stops) stop();
    queryClient.clear();
    vi.useRealTimers();
  };
  await vi.advanceTimersByTimeAsync(10);
});
afterEach(() => end());

const is = () => watch.health().is;
const refuse = (code: "unavailable" | "internal" | "unreachable", status: number) => async () => {
  throw new ApiError(code, "No.", status, status === 0 ? null : "a request");
};

it("is connecting until something is read, and then live", async () => {
  expect(new HealthWatch(queryClient).health()).toEqual({ is: "connecting" });
  expect(is()).toBe("live");
});

it("an open stream does not make data fresh whose read is on its way", async () => {
  answer = () => new Promise(() => undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  for (let beats = 0; beats < 3; beats++) {
    await vi.advanceTimersByTimeAsync(4_000);
    watch.onSign("answers");
  }
  expect(is()).toBe("stale");
});

it("a database that is silent is known by a heartbeat, and all is read again when it answers", async () => {
  watch.onSign("silent");
  expect(is()).toBe("database");
  const again = vi.fn(async () => 2);
  answer = again;
  watch.onSign("answers");
  expect(is()).toBe("live");
  await vi.advanceTimersByTimeAsync(10);
  expect(again).toHaveBeenCalledTimes(1);
});

it("another cell that does not answer says nothing of this console, and nothing is read again for it", async () => {
  const read = vi.fn(async () => 2);
  answer = read;
  const elsewhere = vi.fn(refuse("unavailable", 503));
  const options = { queryKey: keyOfCell("us", "/v1/overview"), queryFn: elsewhere, refetchInterval: 2_000 };
  const stop = new QueryObserver(queryClient, options).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(9_000);
  stop();
  expect([is(), elsewhere.mock.calls.length, read.mock.calls.length]).toEqual(["live", 5, 0]);
});

it("so is one that a read could not reach", async () => {
  answer = refuse("unavailable", 503);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(is()).toBe("database");
});

it("a console without an answer is named after a moment; one that fails leaves the data stale", async () => {
  answer = refuse("unreachable", 0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(is()).not.toBe("console");
  await vi.advanceTimersByTimeAsync(4_500);
  expect(is()).toBe("console");
  answer = refuse("internal", 500);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(is()).toBe("stale");
});

it("a console that falls silent is named, with when it was heard last; a page that was paused is not late", async () => {
  answer = () => new Promise(() => undefined);
  watch.setPaused(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(is()).toBe("paused");
  watch.setPaused(false);
  const heardMs = Date.now();
  await vi.advanceTimersByTimeAsync(21_500);
  expect(watch.health()).toEqual({ is: "console", sinceMs: heardMs });
});

it("an answer that needs no database says nothing of it", async () => {
  watch.onSign("silent");
  await queryClient.fetchQuery({ queryKey: ["/v1/session", {}], queryFn: async () => 1 });
  expect(is()).toBe("database");
});
