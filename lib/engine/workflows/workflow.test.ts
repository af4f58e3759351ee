import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DEFAULT_RETRY } from "../steps/retry-policy";
import { defineWorkflow, type WorkflowOptions } from "./workflow";

const input = z.object({});
const define = (options: Partial<WorkflowOptions<typeof input>>) =>
  defineWorkflow({ name: "a-workflow", input, ...options }, async () => "done");

it("a definition is filled in", async () => {
  const workflow = define({});
  expect(workflow).toMatchObject({
    name: "a-workflow",
    version: 1,
    title: "a-workflow",
    retry: DEFAULT_RETRY,
    timeoutMs: undefined,
    onFailure: "stop",
  });
  expect(workflow.tags({})).toEqual({});
});

it("a definition keeps what it says", () => {
  const workflow = define({
    version: 7,
    title: "A workflow",
    retry: { maxAttempts: 1 },
    timeoutMs: 5,
    onFailure: "compensate",
  });
  expect(workflow).toMatchObject({ version: 7, title: "A workflow", timeoutMs: 5, onFailure: "compensate" });
  expect(workflow.retry).toEqual({ ...DEFAULT_RETRY, maxAttempts: 1 });
});

describe("a workflow's name", () => {
  it.each(["a", "order-fulfilment", "v2.order_batch", "0rders", "x".repeat(100)])("may be %j", (name) => {
    expect(define({ name }).name).toBe(name);
  });

  it("may not begin with handrail., but for Handrail's own", () => {
    for (const name of ["handrail.mine", "handrail."])
      expect(() => define({ name })).toThrowError(expect.objectContaining({ code: "invalid_workflow" }));
    expect(define({ name: "handrail.operation" }).name).toBe("handrail.operation");
    expect(define({ name: "handrails" }).name).toBe("handrails");
  });

  it.each(["", "Order", "-order", ".order", "an order", "ordér", "order\n", "order/2", "x".repeat(101)])(
    "may not be %j",
    (name) => {
      expect(() => define({ name })).toThrowError(
        expect.objectContaining({ code: "invalid_workflow", message: expect.stringContaining("order-fulfilment") }),
      );
    },
  );
});

describe("a definition is refused, by its name and what is wrong, with", () => {
  it.each<[string, Partial<WorkflowOptions<typeof input>>]>([
    ["version", { version: 0 }],
    ["version", { version: 1.5 }],
    ["version", { version: "2" as never }],
    ["timeoutMs", { timeoutMs: 0 }],
    ["timeoutMs", { timeoutMs: -1 }],
    ["timeoutMs", { timeoutMs: Number.NaN }],
    ["timeoutMs", { timeoutMs: Number.POSITIVE_INFINITY }],
    ["timeoutMs", { timeoutMs: Number.MAX_SAFE_INTEGER }],
    ["version", { version: 202_611_281_030 }],
    ["retry.maxAttempts", { retry: { maxAttempts: 0 } }],
    ["retry.jitter", { retry: { jitter: 2 } }],
  ])("%s %j", (what, options) => {
    expect(() => define(options)).toThrowError(
      expect.objectContaining({ code: "invalid_workflow", message: expect.stringContaining(what) }),
    );
  });
});
