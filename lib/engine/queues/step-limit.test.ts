import { expect, it } from "vitest";
import { defineLimit, planLimits, type StepLimit } from "./step-limit";

const perMs = 60_000;

it("a limit has the bounds that its code declares, and cannot be changed", () => {
  const stripe = defineLimit({ name: "stripe", concurrency: 10, rateLimit: { limit: 100, perMs } });
  expect(stripe).toEqual({ name: "stripe", concurrency: 10, rateLimit: { limit: 100, perMs } });
  expect(Object.isFrozen(stripe)).toBe(true);
});

it("a step takes one limit or several, each with a key or without", () => {
  const stripe = defineLimit({ name: "stripe", concurrency: 10 });
  const merchants = defineLimit({ name: "merchants", rateLimit: { limit: 2, perMs } });
  const planned = { name: "stripe", key: "", concurrency: 10, rateLimit: null };
  expect(planLimits("charge", stripe)).toEqual([planned]);
  expect(planLimits("charge", [stripe, { ...merchants, key: "m-1" }])).toEqual([
    planned,
    { name: "merchants", key: "m-1", concurrency: null, rateLimit: { limit: 2, perMs } },
  ]);
});

it.each<[unknown, string]>([
  [{ name: "stripe" }, "no bound"],
  [{ concurrency: 1 }, "cannot name a limit"],
  [{ name: "Stripe!", concurrency: 1 }, "cannot name a limit"],
  [{ name: "stripe", concurrency: 0 }, 'concurrency of limit "stripe"'],
  [{ name: "stripe", concurrency: 1.5 }, "from 1 to 10000"],
  [{ name: "stripe", concurrency: 10_001 }, "from 1 to 10000"],
  [{ name: "stripe", concurrency: "10" }, "from 1 to 10000"],
  [{ name: "stripe", rateLimit: { limit: 0, perMs } }, "rateLimit.limit"],
  [{ name: "stripe", rateLimit: { limit: 1_001, perMs } }, "from 1 to 1000"],
  [{ name: "stripe", rateLimit: { limit: 1, perMs: 86_400_001 } }, "rateLimit.perMs"],
  [{ name: "stripe", rateLimit: { limit: 1 } }, "rateLimit.perMs"],
  [{ name: "stripe", concurrency: 1, rate: { limit: 1, perMs } }, 'takes no "rate"'],
  ["stripe", "is an object"],
  [null, "is an object"],
])("%j is refused", (given, message) => {
  const refusal = expect.objectContaining({
    code: "invalid_workflow",
    message: expect.stringContaining(message),
  });
  expect(() => defineLimit(given as StepLimit)).toThrow(refusal);
  expect(() => planLimits("charge", given as StepLimit)).toThrow(refusal);
});

it.each<[unknown, string]>([
  [[], "got 0"],
  [Array.from({ length: 6 }, (_, index) => ({ name: `l${index}`, concurrency: 1 })), "got 6"],
  [[1, 2].map((concurrency) => ({ name: "stripe", concurrency })), "twice"],
])("%j of one step is refused", (given, message) => {
  expect(() => planLimits("charge", given as StepLimit[])).toThrow(
    expect.objectContaining({ code: "invalid_workflow", message: expect.stringContaining(message) }),
  );
});

it.each([7, null, undefined, "x".repeat(201), "a\0b", "\ud800"])("a key is no %j", (key) => {
  expect(() => planLimits("charge", { name: "stripe", concurrency: 1, key: key as string })).toThrow(
    expect.objectContaining({ code: "invalid_value", message: expect.stringContaining('The key of limit "stripe"') }),
  );
});
