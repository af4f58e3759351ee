import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { collectGarbage } from "../../testing/collect-garbage";
import { signalWithin } from "./signal-within";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** What is told to a listener. The signal itself is kept by nobody, as that of a request that hangs. */
function heard(signal: AbortSignal, within = signalWithin(10_000, signal)) {
  const names: string[] = [];
  within.signal.addEventListener("abort", ({ target }) => names.push((target as AbortSignal).reason.name));
  return { names, done: within.done };
}

it("aborts after its time, also when garbage was collected meanwhile", async () => {
  const { names } = heard(new AbortController().signal);
  await setImmediate();
  collectGarbage();
  vi.advanceTimersByTime(9_999);
  expect(names).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(names).toEqual(["TimeoutError"]);
});

it("aborts with the other signal", () => {
  const other = new AbortController();
  const { names } = heard(other.signal);
  other.abort();
  expect(names).toEqual(["AbortError"]);
});

it("leaves no timer behind", () => {
  heard(new AbortController().signal).done();
  expect(vi.getTimerCount()).toBe(0);
});
