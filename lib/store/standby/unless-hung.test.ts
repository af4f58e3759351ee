import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Hung, PATIENCE_MS, unlessHung } from "./unless-hung";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);

it("a read whose server says nothing at first is given up after a second", async () => {
  const check = vi.fn(async () => undefined);
  const refused = expect(unlessHung(never, () => false, check)).rejects.toBeInstanceOf(Hung);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  await refused;
  expect(check).not.toHaveBeenCalled();
});

it("a slow read goes on while its server answers beside it, and is given up when it stops", async () => {
  let answers = true;
  let finished = false;
  const check = vi.fn(async () => {
    if (!answers) throw new Error("no answer");
  });
  const reading = unlessHung(never, () => true, check).finally(() => {
    finished = true;
  });
  const refused = expect(reading).rejects.toBeInstanceOf(Hung);
  await vi.advanceTimersByTimeAsync(3 * PATIENCE_MS);
  expect([check.mock.calls.length, finished]).toEqual([3, false]);
  answers = false;
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  await refused;
});

it("asks nothing after the end of a read", async () => {
  const check = vi.fn(async () => undefined);
  expect(await unlessHung(Promise.resolve(1), () => true, check)).toBe(1);
  await vi.advanceTimersByTimeAsync(10 * PATIENCE_MS);
  expect(check).not.toHaveBeenCalled();
});
