import { AsyncLocalStorage } from "node:async_hooks";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { createHandrail, defineWorkflow, type Middleware } from "../../library/handrail";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { blocksOf } from "../../testing/doc-snippets";

const replaceOrder = defineWorkflow(
  { name: "replace-order", input: z.object({ oldRunId: z.string(), stockRunId: z.string(), orderId: z.string() }) },
  async (ctx, { oldRunId, stockRunId, orderId }) => {
    const old = await ctx.cancelRun("cancel-old-order", oldRunId, { reason: `Replaced by order ${orderId}` });
    await ctx.sendEvent("free-stock", "stock.freed", { orderId }, { runId: stockRunId });
    return { replaced: old.cancelled };
  },
);

const checkout = defineWorkflow(
  { name: "checkout", input: z.object({ cents: z.number() }) },
  async (ctx, { cents }) => {
    const payment = await ctx.step("create-payment", ({ idempotencyKey }) => ({
      url: `https://pay.example/${idempotencyKey}`,
      cents,
    }));
    await ctx.publish("payment", payment);
    await ctx.waitForEvent("paid", { event: "paid", timeout: "1h" });
  },
);

const handrail = createHandrail({ workflows: [checkout] });

async function pay(cents: number) {
  const run = await handrail.start(checkout, { cents });
  return run.published<{ url: string }>("payment", { timeoutMs: 10_000 });
}

const tenant = new AsyncLocalStorage<string>();

const asTenant: Middleware = (call, next) => tenant.run(call.run.tags.tenant ?? "none", next);

const timed: Middleware = async (call, next) => {
  const began = performance.now();
  try {
    await next();
  } finally {
    performance.measure(`${call.run.workflow} ${call.step}`, { start: began });
  }
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await handrail.close();
  await database.drop();
});

const stock = defineWorkflow({ name: "stock", input: z.object({}) }, (ctx) =>
  ctx.waitForEvent("freed", { event: "stock.freed" }),
);
const who = defineWorkflow({ name: "who", input: z.object({}), tags: () => ({ tenant: "acme" }) }, (ctx) =>
  ctx.step("who", () => tenant.getStore()),
);

it("the snippets of the pages run", async () => {
  const { readFileSync } = await import("node:fs");
  const flat = (code: string) => code.replaceAll(/^(import .*$|export )/gm, "").replaceAll(/[\s,]+/g, "");
  const here = flat(readFileSync(new URL(import.meta.url), "utf8"));
  for (const block of blocksOf("other-runs.md", "ts")) expect(here).toContain(flat(block));
  const [middleware = ""] = blocksOf("middleware.md", "ts");
  expect(here).toContain(flat(middleware.slice(0, middleware.indexOf("export const handrail"))));

  const app = createHandrail({ workflows: [replaceOrder, checkout, stock, who], middleware: [asTenant, timed] });
  await app.worker({ concurrency: 5 }).start();
  expect(await pay(4900)).toMatchObject({ url: expect.stringMatching(/^https:\/\/pay\.example\//), cents: 4900 });
  expect(performance.getEntriesByName("checkout create-payment")).toHaveLength(1);
  const [old, stockRun] = [await app.start(checkout, { cents: 1 }), await app.start(stock, {})];
  const ids = { oldRunId: old.id, stockRunId: stockRun.id, orderId: "A-2" };
  expect((await (await app.start(replaceOrder, ids)).result()).output).toEqual({ replaced: true });
  expect((await stockRun.result()).output).toEqual({ orderId: "A-2" });
  expect((await (await app.start(who, {})).result()).output).toBe("acme");
  await app.close();
});
