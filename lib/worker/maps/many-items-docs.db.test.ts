import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../library/handrail";
import { blocksOf, fileText, snippetsOf } from "../../testing/doc-snippets";
import { anEngine } from "../../testing/workers/engine";
import { verifyWorkflow } from "../../verify/verify";

interface Customer {
  id: string;
  amountCents: number;
}

const chargeAll = defineWorkflow({ name: "charge-all", input: z.object({ month: z.string() }) }, (ctx, { month }) =>
  ctx.mapSteps(
    async (after: string | undefined) => {
      const response = await fetch(`https://crm.example/customers?month=${month}&after=${after ?? ""}`);
      const customers = (await response.json()) as Customer[];
      return { items: customers, next: customers.at(-1)?.id };
    },
    "charge",
    async (customer, { idempotencyKey, signal }) => {
      await fetch(`https://pay.example/charges/${customer.id}`, {
        ...{ method: "POST", signal, headers: { "idempotency-key": idempotencyKey } },
        body: JSON.stringify({ amountCents: customer.amountCents }),
      });
      return customer.amountCents;
    },
    {
      key: ({ id }) => id,
      concurrency: 20,
      onError: "collect",
      reduce: (amounts) => amounts.reduce((sum, amount) => sum + amount, 0),
    },
  ),
);

const engine = anEngine();
const fetched = globalThis.fetch;
let charges = new Map<string, number>();

/** The two services of the page's example: 25 customers, ten a page. */
const services: typeof fetch = async (given, init) => {
  const url = new URL(String(given));
  if (url.host === "pay.example") {
    charges.set(new Headers(init?.headers).get("idempotency-key") ?? "", JSON.parse(String(init?.body)).amountCents);
    return new Response();
  }
  if (url.host !== "crm.example") return fetched(given, init);
  const after = Number(url.searchParams.get("after"));
  const count = Math.min(10, 25 - after);
  return Response.json(Array.from({ length: count }, (_, index) => ({ id: `${after + index + 1}`, amountCents: 100 })));
};
beforeAll(() => {
  globalThis.fetch = services;
});
afterAll(() => {
  globalThis.fetch = fetched;
});

it("this file has the page's snippet", () => {
  const [snippet = ""] = snippetsOf("many-items.md");
  const [, code = ""] = snippet.split('from"handrail";');
  expect(blocksOf("many-items.md", "ts")).toHaveLength(1);
  expect(fileText(import.meta.url)).toContain(code.replaceAll("export", ""));
});

it("it charges every customer once", async () => {
  charges = new Map();
  const { run } = await engine.runToEnd(chargeAll, { month: "2026-11" });
  expect(run).toMatchObject({ status: "completed", output: { done: 25, failed: 0, parts: [1_000, 1_000, 500, 0] } });
  expect(charges.size).toBe(25);
});

interface Bank {
  charge(key: string, item: number): Promise<number>;
}

const small = defineWorkflow({ name: "charge-some", input: z.object({}) }, (ctx) =>
  ctx.mapSteps(
    [1, 2, 3, 4, 5],
    "charge",
    (item, { idempotencyKey }) => (ctx.services as unknown as { bank: Bank }).bank.charge(idempotencyKey, item),
    { pageSize: 3, concurrency: 2 },
  ),
);

it("a worker that dies at any boundary of the map and of its pages charges nobody twice", {
  timeout: 300_000,
}, async () => {
  const world = () => {
    const charged = new Map<string, number>();
    const charge = async (key: string, item: number) => charged.set(key, item).size;
    return { services: { bank: { charge } }, observe: () => ({ charged: [...charged.values()].sort() }) };
  };
  const report = await verifyWorkflow(small, {
    ...{ databaseUrl: inject("postgresUrl"), inputs: [{}], world, budget: "4m" as const },
  });
  expect(report.findings).toEqual([]);
  expect(report.trials.length).toBeGreaterThan(20);
});
