import { expect, it, vi } from "vitest";
import { DatabasePulse } from "./database-pulse";

it("asks once for all who want to know, and tells of a database that hangs without waiting for it", async () => {
  vi.useFakeTimers();
  try {
    let answer: () => void = () => undefined;
    const ask = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)));
    const pulse = new DatabasePulse(ask);
    const told = Promise.all([pulse.answers(1_000), pulse.answers(1_000)]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await told).toEqual([false, false]);
    const later = pulse.answers(1_000);
    expect(ask).toHaveBeenCalledTimes(1);
    answer();
    expect(await later).toBe(true);
    void pulse.answers(1_000);
    expect(ask).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

it("a database that refuses does not answer", async () => {
  expect(await new DatabasePulse(() => Promise.reject(new Error("refused"))).answers()).toBe(false);
});
