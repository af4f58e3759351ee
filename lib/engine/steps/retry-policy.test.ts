import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { HandrailError } from "../errors";
import { isOutcomeUnknown } from "./outcome-unknown-error";
import {
  DEFAULT_RETRY,
  decideRetry,
  NonRetryableError,
  RetryAfterError,
  type RetryPolicy,
  withRetryDefaults,
} from "./retry-policy";

const policy: RetryPolicy = { maxAttempts: 5, initialDelayMs: 100, factor: 2, maxDelayMs: 1_000, jitter: 0 };
const error = new Error("down");

describe("the delay before the next attempt", () => {
  it.each([
    [1, 100],
    [2, 200],
    [3, 400],
    [4, 800],
  ])("grows: after %i failures %i ms", (failures, delayMs) => {
    expect(decideRetry(policy, failures, error, 0.5)).toEqual({ retry: true, delayMs });
  });

  it("has a cap, also where the growth overflows", () => {
    expect(decideRetry({ ...policy, maxAttempts: 5_000 }, 4_999, error, 0.5)).toEqual({ retry: true, delayMs: 1_000 });
  });

  it("varies within its policy's jitter", () => {
    const delays = [0, 0.5, 1].map((random) => decideRetry({ ...policy, jitter: 0.2 }, 1, error, random));
    expect(delays).toEqual([80, 100, 120].map((delayMs) => ({ retry: true, delayMs })));
  });

  it("is never negative, and never above the cap and its jitter", () => {
    const shares = fc.double({ min: 0, max: 1, noNaN: true });
    const policies = fc.record({
      maxAttempts: fc.integer({ min: 2, max: 100 }),
      initialDelayMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
      factor: fc.double({ min: 1, max: 1e3, noNaN: true }),
      maxDelayMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
      jitter: shares,
    });
    fc.assert(
      fc.property(policies, fc.integer({ min: 1, max: 99 }), shares, (given, failures, random) => {
        const decision = decideRetry(given, failures, error, random);
        expect(decision.retry).toBe(failures < given.maxAttempts);
        if (decision.retry) {
          expect(decision.delayMs).toBeGreaterThanOrEqual(0);
          expect(decision.delayMs).toBeLessThanOrEqual(Math.round(given.maxDelayMs * (1 + given.jitter)));
        }
      }),
    );
  });

  it("is what the error requests, without jitter and above the cap", () => {
    expect(decideRetry({ ...policy, jitter: 1 }, 1, new RetryAfterError("busy", 90_000), 0)).toEqual({
      retry: true,
      delayMs: 90_000,
    });
    expect(new RetryAfterError("busy", -5).delayMs).toBe(0);
  });
});

describe("no attempt follows", () => {
  it.each<[string, number, unknown, Partial<RetryPolicy>]>([
    ["the last attempt", 5, error, {}],
    ["the last attempt, even when the error requests another", 5, new RetryAfterError("busy", 1), {}],
    ["a non-retryable error", 1, new NonRetryableError("no"), {}],
    ["an error that retryIf refuses", 1, error, { retryIf: () => false }],
    ["an error of the engine, which would repeat", 1, new HandrailError("invalid_value", "cannot be kept"), {}],
    ["the only attempt", 1, error, { maxAttempts: 1 }],
  ])("%s", (_, failures, thrown, given) => {
    expect(decideRetry({ ...policy, ...given }, failures, thrown, 0.5)).toEqual({ retry: false });
  });
});

it.each(["step_timed_out", "throttled", "too_busy", "unavailable", "wait_timed_out", "singleton_conflict"] as const)(
  "an attempt follows an error of the engine that may pass: %s",
  (code) => {
    expect(decideRetry(policy, 1, new HandrailError(code, "not now"), 0.5).retry).toBe(true);
  },
);

it("not before a throttle takes the call again", () => {
  const throttled = new HandrailError("throttled", "later", { retryAfterMs: 5_000 });
  expect(decideRetry(policy, 1, throttled, 0.5)).toEqual({ retry: true, delayMs: 5_000 });
});

it("knows what a copy of Handrail throws, such as that of a package with workflows", async () => {
  vi.resetModules();
  const copy = await import("./retry-policy");
  const { OutcomeUnknownError } = await import("./outcome-unknown-error");
  expect(copy.NonRetryableError).not.toBe(NonRetryableError);
  class Declined extends copy.NonRetryableError {}
  expect(decideRetry(policy, 1, new Declined("no"), 0.5)).toEqual({ retry: false });
  expect(decideRetry(policy, 1, new copy.RetryAfterError("busy", 7), 0.5)).toEqual({ retry: true, delayMs: 7 });
  expect([new OutcomeUnknownError("?"), error, "?"].map(isOutcomeUnknown)).toEqual([true, false, false]);
});

it("retryIf gets whatever the body threw", () => {
  const asked: unknown[] = [];
  const retryIf = (thrown: unknown) => asked.push(thrown) > 0;
  for (const thrown of [error, undefined, "text"]) decideRetry({ ...policy, retryIf }, 1, thrown, 0.5);
  expect(asked).toEqual([error, undefined, "text"]);
});

describe("a policy", () => {
  it("is filled in from the next lower policy", () => {
    expect(withRetryDefaults(DEFAULT_RETRY, { maxAttempts: 2 })).toEqual({ ...DEFAULT_RETRY, maxAttempts: 2 });
    expect(withRetryDefaults(DEFAULT_RETRY, undefined)).toEqual(DEFAULT_RETRY);
  });

  it.each([
    ["maxAttempts", 0],
    ["maxAttempts", 1.5],
    ["maxAttempts", Number.NaN],
    ["maxAttempts", "3"],
    ["maxAttempts", Number.MAX_SAFE_INTEGER],
    ["initialDelayMs", -1],
    ["initialDelayMs", Number.NaN],
    ["factor", 0.5],
    ["factor", Number.NaN],
    ["maxDelayMs", -1],
    ["maxDelayMs", Number.NaN],
    ["jitter", -0.1],
    ["jitter", 1.1],
    ["jitter", Number.NaN],
  ])("is refused with %s %s, naming the field", (field, value) => {
    expect(() => withRetryDefaults(DEFAULT_RETRY, { [field]: value })).toThrowError(
      expect.objectContaining({ code: "invalid_workflow", message: expect.stringContaining(`retry.${field}`) }),
    );
  });
});
