import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fileText, snippetsOf } from "../testing/doc-snippets";
import type { QueueOptions } from "./queue";
import { prepareStart, prepareStarts } from "./start";
import { defineWorkflow } from "./workflow";

const input = z.object({ customer: z.string() });
type Input = z.infer<typeof input>;
const define = (options: QueueOptions<Input>) =>
  defineWorkflow({ name: "limited", input, ...options }, async () => "done");
const customer = (given: Input) => given.customer;
const keyOf = async (options: QueueOptions<Input>, value = "c-1") =>
  (await prepareStart(define(options), { customer: value })).queueKey;

it("the workflow of docs/queues.md is one that is taken", async () => {
  const customer = (input: { customer: string }) => input.customer;

  const sendInvoice = defineWorkflow(
    {
      name: "send-invoice",
      input: z.object({ customer: z.string(), invoice: z.string() }),
      concurrency: { limit: 3, key: customer },
      rateLimit: { limit: 100, perMs: 60_000, key: customer },
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
  it("is none without a limit, one for all without a key, and one per key", async () => {
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

  it("needs a text as its name", async () => {
    const key = (() => undefined) as unknown as (given: Input) => string;
    await expect(keyOf({ concurrency: { limit: 1, key } })).rejects.toMatchObject({ code: "invalid_input" });
  });
});

it("the limits are kept without their functions", () => {
  const { queueing } = define({
    concurrency: { limit: 3, key: customer },
    rateLimit: { limit: 10, perMs: 60_000, key: customer },
  });
  expect(queueing).toMatchObject({
    keyed: true,
    limits: { concurrency: 3, rate: { limit: 10, perMs: 60_000 }, window: null },
  });
});

it.each<[QueueOptions<Input>, string]>([
  [{ concurrency: { limit: 0 } }, "concurrency.limit"],
  [{ concurrency: { limit: 1.5 } }, "concurrency.limit"],
  [{ concurrency: { limit: 10_001 } }, "concurrency.limit"],
  [{ rateLimit: { limit: 1, perMs: 0 } }, "rateLimit.perMs"],
  [{ rateLimit: { limit: 1, perMs: 86_400_001 } }, "rateLimit.perMs"],
  [{ concurrency: { limit: 1, key: customer }, rateLimit: { limit: 1, perMs: 1 } }, "different keys"],
  [{ window: { from: "22:00", to: "22:00", timeZone: "UTC" } }, "two different times"],
  [{ window: { from: "24:00", to: "06:00", timeZone: "UTC" } }, "two different times"],
  [{ window: { from: "22:00", to: "06:00", timeZone: "Europe/Nowhere" } }, "no time zone"],
  [{ window: { from: "22:00", to: "06:00", timeZone: "+02:00" } }, "no time zone"],
])("%j is refused", (options, message) => {
  expect(() => define(options)).toThrow(
    expect.objectContaining({ code: "invalid_workflow", message: expect.stringContaining(message) }),
  );
});
