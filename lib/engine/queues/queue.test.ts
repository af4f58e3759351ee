import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fileText, snippetsOf } from "../../testing/doc-snippets";
import { prepareStart, prepareStarts } from "../runs/start";
import { defineWorkflow } from "../workflows/workflow";
import { type Hold, heldBy, type QueueOptions, type QueueState, refusedWindow } from "./queue";

const input = z.object({ customer: z.string() });
type Input = z.infer<typeof input>;
const define = (options: QueueOptions<Input>) =>
  defineWorkflow({ name: "limited", input, ...options }, async () => "done");
const customer = (given: Input) => given.customer;
const keyOf = async (options: QueueOptions<Input>, value = "c-1") =>
  (await prepareStart(define(options), { customer: value })).queueKey;

it("the workflow of docs/queues.md is valid", async () => {
  const customer = (input: { customer: string }) => input.customer;

  const sendInvoice = defineWorkflow(
    {
      name: "send-invoice",
      input: z.object({ customer: z.string(), invoice: z.string() }),
      concurrency: { limit: 2, key: customer, total: 50 },
      rateLimit: { limit: 100, perMs: 60_000 },
      window: { from: "22:00", to: "06:00", timeZone: "Europe/Berlin" },
    },
    async (ctx, { invoice }) => ctx.step("send", () => invoice),
  );

  const inputs = [{ customer: "c-7", invoice: "i-1" }];
  const starts = inputs.map((input) => ({ input, options: { idempotencyKey: input.invoice } }));
  expect(await prepareStarts(sendInvoice, starts)).toMatchObject([{ queueKey: "c-7", idempotencyKey: "i-1" }]);
  const shown = snippetsOf("queues.md")[0]?.replace("export", "");
  expect(fileText(import.meta.url)).toContain(shown);
});

describe("the queue of a run", () => {
  it("is absent without a limit, shared without a key, and separate per key", async () => {
    expect(await keyOf({})).toBeNull();
    expect(await keyOf({ concurrency: { limit: 1 } })).toBe("");
    expect(await keyOf({ window: { from: "22:00", to: "06:00", timeZone: "Europe/Berlin" } })).toBe("");
    expect(await keyOf({ concurrency: { limit: 1, key: customer } })).toBe("c-1");
    expect(await keyOf({ rateLimit: { limit: 1, perMs: 5, key: customer } })).toBe("c-1");
  });

  it.each(["x".repeat(201), "a\0b", "\ud800"])("cannot be named %j", async (value) => {
    await expect(keyOf({ concurrency: { limit: 1, key: customer } }, value)).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it("needs a text as its key", async () => {
    const key = (() => undefined) as unknown as (given: Input) => string;
    await expect(keyOf({ concurrency: { limit: 1, key } })).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("the limits are kept without their functions", () => {
  const limitsOf = (options: QueueOptions<Input>) => define(options).queueing?.limits;
  const perMs = 60_000;

  it("for each key, and for all keys together", () => {
    expect(
      limitsOf({
        concurrency: { limit: 3, key: customer, total: 50 },
        rateLimit: { limit: 10, perMs, key: customer, total: 100 },
      }),
    ).toEqual({
      concurrency: 3,
      total: 50,
      rate: { limit: 10, perMs },
      totalRate: { limit: 100, perMs },
      window: null,
    });
  });

  it("a limit without a key applies to the workflow, beside a limit with one", () => {
    expect(limitsOf({ concurrency: { limit: 3, key: customer }, rateLimit: { limit: 10, perMs } })).toMatchObject({
      concurrency: 3,
      total: null,
      rate: null,
      totalRate: { limit: 10, perMs },
    });
    expect(limitsOf({ concurrency: { limit: 3 }, rateLimit: { limit: 10, perMs, key: customer } })).toMatchObject({
      concurrency: null,
      total: 3,
      rate: { limit: 10, perMs },
      totalRate: null,
    });
    expect(limitsOf({ concurrency: { limit: 3 }, rateLimit: { limit: 10, perMs } })).toMatchObject({
      concurrency: 3,
      total: null,
      rate: { limit: 10, perMs },
      totalRate: null,
    });
  });
});

describe("the reason that holds a run back", () => {
  const free: QueueState = {
    ...{ concurrency: 2, total: 50, rate: { limit: 5, perMs: 1_000 }, totalRate: { limit: 9, perMs: 1_000 } },
    ...{ begun: false, windowOpen: true, holding: 1, totalHolding: 49, started: 4, totalStarted: 8 },
  };
  it.each<[Hold | null, Partial<QueueState>]>([
    [null, {}],
    ["window", { windowOpen: false, totalHolding: 50 }],
    ["total", { totalHolding: 50, holding: 2 }],
    ["concurrency", { holding: 2, started: 5 }],
    ["totalRate", { totalStarted: 9, started: 5 }],
    ["rate", { started: 5 }],
    [null, { started: 5, totalStarted: 9, begun: true }],
    [null, { concurrency: null, total: null, rate: null, totalRate: null, totalHolding: 99, started: 99 }],
  ])("is %s with %j", (hold, given) => {
    expect(heldBy({ ...free, ...given })).toBe(hold);
  });
});

it("a window from midnight to midnight is always open, and is valid", () => {
  expect(refusedWindow({ from: "00:00", to: "24:00", timeZone: "Europe/Berlin" })).toBeUndefined();
});

it.each(["CET", "eet", "+02:00", "Europe/Nowhere"])("a window cannot be in %s", (timeZone) => {
  expect(refusedWindow({ from: "22:00", to: "06:00", timeZone })).toMatchObject({ at: "timeZone" });
});

it.each<[QueueOptions<Input>, string]>([
  [{ concurrency: { limit: 0 } }, "concurrency.limit"],
  [{ concurrency: { limit: 1.5 } }, "concurrency.limit"],
  [{ concurrency: { limit: 10_001 } }, "concurrency.limit"],
  [{ rateLimit: { limit: 1, perMs: 0 } }, "rateLimit.perMs"],
  [{ rateLimit: { limit: 1, perMs: 86_400_001 } }, "rateLimit.perMs"],
  [{ concurrency: { limit: 1, key: customer }, rateLimit: { limit: 1, perMs: 1, key: () => "x" } }, "different keys"],
  [{ concurrency: { limit: 1, total: 5 } }, "there is no key"],
  [{ concurrency: { limit: 1, key: customer, total: 0 } }, "concurrency.total"],
  [{ window: { from: "22:00", to: "22:00", timeZone: "UTC" } }, "A time that differs"],
  [{ window: { from: "24:00", to: "06:00", timeZone: "UTC" } }, "A time of day"],
  [{ window: { from: "22:00", to: "06:00", timeZone: "Europe/Nowhere" } }, "IANA"],
  [{ window: { from: "22:00", to: "06:00", timeZone: "+02:00" } }, "IANA"],
])("%j is refused", (options, message) => {
  expect(() => define(options)).toThrow(
    expect.objectContaining({ code: "invalid_workflow", message: expect.stringContaining(message) }),
  );
});
