import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { z } from "zod";
import { defineLimit, defineWorkflow } from "../../library/handrail";
import { fileText, snippetsOf } from "../../testing/doc-snippets";
import { anEngine } from "../../testing/workers/engine";
import { verifyWorkflow } from "../../verify/verify";

const stripe = defineLimit({ name: "stripe", concurrency: 10, rateLimit: { limit: 100, perMs: 60_000 } });
const merchants = defineLimit({ name: "stripe-merchant", concurrency: 2 });

const charge = defineWorkflow(
  { name: "charge", input: z.object({ merchant: z.string(), cents: z.int() }) },
  (ctx, { merchant, cents }) =>
    ctx.step(
      "charge",
      async ({ idempotencyKey, signal }) => {
        await fetch(`https://pay.example/${merchant}/charges`, {
          ...{ method: "POST", signal, headers: { "idempotency-key": idempotencyKey } },
          body: JSON.stringify({ cents }),
        });
      },
      { limit: [stripe, { ...merchants, key: merchant }] },
    ),
);

const engine = anEngine();
const fetched = globalThis.fetch;
const inside = new Map<string, number>();
let most = 0;

/** The provider of the page's example, which sees the calls of a merchant. */
const provider: typeof fetch = async (given, init) => {
  const url = new URL(String(given));
  if (url.host !== "pay.example") return fetched(given, init);
  const calls = (inside.get(url.pathname) ?? 0) + 1;
  inside.set(url.pathname, calls);
  most = Math.max(most, calls);
  await delay(5);
  inside.set(url.pathname, (inside.get(url.pathname) as number) - 1);
  return new Response();
};
beforeAll(() => {
  globalThis.fetch = provider;
});
afterAll(() => {
  globalThis.fetch = fetched;
});

it("this file has the page's snippet", () => {
  const [shown = "no snippet"] = snippetsOf("limits.md");
  const code = shown.slice(shown.indexOf("conststripe")).replace("exportconst", "const");
  expect(fileText(import.meta.url)).toContain(code);
});

it("the page's example calls for a merchant twice at once at most, from several workers", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 16; index++)
    ids.push(await engine.start(charge, { merchant: `m-${index % 2}`, cents: 100 }));
  for (let index = 0; index < 2; index++) await engine.worker([charge], { connections: 3 });
  for (const id of ids) expect((await engine.untilEnded(id)).run.status).toBe("completed");
  expect(most).toBeLessThanOrEqual(2);
});

it("a workflow of its shape is right at every boundary, and time passes for its rate", {
  timeout: 300_000,
}, async () => {
  const slow = defineLimit({ name: "slow", concurrency: 1, rateLimit: { limit: 2, perMs: 60_000 } });
  const small = defineWorkflow({ name: "limited-small", input: z.object({}) }, async (ctx) => {
    const { bank } = ctx.services as unknown as { bank: { charge(key: string): Promise<number> } };
    for (const name of ["first", "second", "third"])
      await ctx.step(name, ({ idempotencyKey }) => bank.charge(idempotencyKey), { limit: slow });
  });
  const world = () => {
    const charged = new Set<string>();
    const charge = async (key: string) => charged.add(key).size;
    return { services: { bank: { charge } }, observe: () => ({ charged: charged.size }) };
  };
  const report = await verifyWorkflow(small, {
    ...{ databaseUrl: inject("postgresUrl"), inputs: [{}], world, budget: "4m" as const },
  });
  expect(report.findings).toEqual([]);
  expect(report.trials.length).toBeGreaterThan(20);
});
