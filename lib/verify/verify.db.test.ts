import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflows/workflow";
import { fileText, snippetsOf } from "../testing/doc-snippets";
import { Scratch } from "../testkit/scratch";
import { assertRetrySafe, type Fault, matchers, verifyWorkflow } from "./verify";

declare module "vitest" {
  interface Matchers<T> {
    toBeRetrySafe(): T;
  }
}

const source = readFileSync(new URL(import.meta.url), "utf8").split("\n");
const databaseUrl = inject("postgresUrl");
const orderInput = z.object({ orderId: z.string(), email: z.email() });
const order = { orderId: "A-1", email: "ada@example.com" };

// --- what docs/verify.md shows

const orderPlaced = defineWorkflow({ name: "order-placed", input: orderInput }, async (ctx, { orderId, email }) => {
  const { payments, mail } = ctx.services;
  const charge = await ctx.step("charge", (body) => payments.charge({ orderId, amountCents: 4_900 }, body));
  await ctx.sleep("pause", "1h");
  const confirmation = { to: email, subject: `Order ${orderId}`, text: `Your charge is ${charge.id}.` };
  await ctx.step("send-confirmation", ({ idempotencyKey }) => mail.send(confirmation, idempotencyKey));
});

function aWorld() {
  const charges = new Map<string, string>();
  const mails: string[] = [];
  const payments = {
    // As payment providers do it: the same key is the same charge.
    charge: async ({ orderId }: { orderId: string }, { idempotencyKey }: { idempotencyKey: string }) => {
      charges.set(idempotencyKey, orderId);
      return { id: `charge of ${orderId}` };
    },
  };
  const mail = { send: async ({ to }: { to: string }) => ({ messageId: `<${mails.push(to)}@test>` }) };
  return { services: { payments, mail }, observe: () => ({ charges: [...charges], mails }) };
}

expect.extend(matchers);

// The page's test fails on purpose.
const orderIsRetrySafe = (it: (name: string, test: () => Promise<void>) => Promise<void>) =>
  it("order-placed is retry-safe", async () => {
    const report = await verifyWorkflow(orderPlaced, { databaseUrl, inputs: [order], world: aWorld });
    expect(report).toBeRetrySafe();
  });

const corrected = defineWorkflow({ name: "order-placed", input: orderInput }, async (ctx, { orderId, email }) => {
  const { payments, mail } = ctx.services;
  const charge = await ctx.step("charge", (body) => payments.charge({ orderId, amountCents: 4_900 }, body));
  await ctx.sleep("pause", "1h");
  const confirmation = { to: email, subject: `Order ${orderId}`, text: `Your charge is ${charge.id}.` };
  await ctx.step("send-confirmation", ({ idempotencyKey }) => mail.send(confirmation, idempotencyKey), {
    effect: "once",
    instructions: "Look for the mail in the mailbox that sends it.",
  });
});

// --- the rest

/** For a busy machine. */
const LONG = { timeout: 300_000 };

it("this file, or the one for --against, has every snippet of the page", () => {
  const here = fileText(import.meta.url) + fileText(new URL("against.db.test.ts", import.meta.url).href);
  const snippets = snippetsOf("verify.md");
  expect(snippets.length).toBeGreaterThan(2);
  for (const snippet of snippets) expect(here).toContain(snippet);
});

it("a mail that is sent twice is found at its line, and its trial is run again by its number", LONG, async () => {
  const failure: Error = await orderIsRetrySafe((_name, test) => test()).catch((error) => error);
  const text = failure.message;
  expect(text).toContain(
    "✗ send-confirmation  happened twice (mails: 2 instead of 1): worker dies after the body, before its record (trial ",
  );
  expect(text).toContain("✓ charge, pause");
  const line = source.findIndex((code) => code.includes('ctx.step("send-confirmation"')) + 1;
  expect(text).toContain(`it honours.    lib/verify/verify.db.test.ts:${line}`);
  const trial = Number(/--trial (\d+)/.exec(text)?.[1]);
  const again = await verifyWorkflow(orderPlaced, { databaseUrl, inputs: [order], world: aWorld, trial });
  expect(again.trials).toMatchObject([
    { number: 0, verdict: "as_without_faults" },
    { number: trial, verdict: "finding" },
  ]);
  expect(() => assertRetrySafe(again)).toThrow("1 finding:\norder-placed v1 · 3 steps · 1 input · 2 trials");
});

it("a step that is declared `once` is no finding: a person is asked", LONG, async () => {
  const report = await verifyWorkflow(corrected, { databaseUrl, inputs: [order], world: aWorld });
  expect(report).toBeRetrySafe();
  assertRetrySafe(report);
  expect(report.asked.map(({ step }) => step).sort()).toEqual(["charge", "send-confirmation"]);
  const verdictOf = (faults: Partial<Fault>) =>
    report.trials.find((trial) => trial.faults.some((fault) => isMatch(fault, faults)))?.verdict;
  expect(verdictOf({ kind: "worker_dies", point: "step:after-body", step: "charge" })).toBe("as_without_faults");
  expect(verdictOf({ kind: "worker_dies", point: "step:after-body", step: "send-confirmation" })).toBe("asks_a_person");
  expect(verdictOf({ kind: "down", step: "charge" })).toBe("failed");
  expect(verdictOf({ kind: "cancel", step: "charge" })).toBe("cancelled");
  expect(verdictOf({ kind: "started_twice" })).toBe("as_without_faults");
  expect(verdictOf({ kind: "pause", step: "send-confirmation" })).toBe("as_without_faults");
  expect(verdictOf({ kind: "rerun", step: "charge", failing: "charge" })).toBe("as_without_faults");
  expect(verdictOf({ kind: "rerun", step: "charge", failing: "send-confirmation" })).toBe("as_without_faults");
});

it(
  "a body that ends while the mark of its start is written has no more boundaries than another one",
  LONG,
  async () => {
    const marked = defineWorkflow({ name: "marked", input: z.object({}) }, async (ctx) => {
      for (const name of ["one", "two", "three", "four", "five"]) await ctx.step(name, () => delay(26));
    });
    const report = await verifyWorkflow(marked, { databaseUrl, inputs: [{}], world: () => ({ observe: () => null }) });
    expect(report.trials.filter(({ verdict }) => verdict === "not_reached")).toEqual([]);
  },
);

it("what the budget left out is not shown to be safe", async () => {
  const given = { databaseUrl, inputs: [order], world: aWorld };
  const report = await verifyWorkflow(corrected, { ...given, budget: 1 });
  expect(report).toMatchObject({ findings: [{ kind: "unfinished" }], trials: [{ number: 0 }] });
  expect(report.skipped).toBeGreaterThan(20);
  expect(report).not.toBeRetrySafe();
});

it("a trial of one input's compensations is run again by its number, and no other one", LONG, async () => {
  const charged = defineWorkflow(
    { name: "charged", input: z.object({ card: z.string() }), onFailure: "compensate" },
    async (ctx, { card }) => {
      const { charges } = ctx.services as unknown as { charges: Map<string, string> };
      const compensate = (_: unknown, { idempotencyKey }: { idempotencyKey: string }) =>
        charges.set(idempotencyKey, "back");
      await ctx.step("charge", ({ idempotencyKey }) => void charges.set(idempotencyKey, card), { compensate });
      await ctx.step("ship", () => undefined);
    },
  );
  const world = () => {
    const charges = new Map<string, string>();
    return { services: { charges }, observe: () => [...charges.values()].sort() };
  };
  const given = { databaseUrl, inputs: [{ card: "first" }, { card: "second" }], world, budget: "5m" as const };
  const all = await verifyWorkflow(charged, given);
  const compensations = all.trials.filter(({ faults }) => faults.length === 2);
  expect(new Set(compensations.map(({ number }) => number)).size).toBe(compensations.length);
  const last = compensations.at(-1);
  const { trials } = await verifyWorkflow(charged, { ...given, trial: last?.number });
  const without = { number: 0, faults: [], verdict: "as_without_faults" };
  expect(trials).toEqual([without, without, last]);
  expect((await verifyWorkflow(charged, { ...given, trial: 0 })).trials).toEqual([without, without]);
});

it("a trial that there is not is refused, and not taken for safe", async () => {
  const given = { databaseUrl, inputs: [order], world: aWorld };
  await expect(verifyWorkflow(corrected, { ...given, trial: 9_999 })).rejects.toThrow("There is no trial 9999.");
});

it("leaves no database behind", async () => {
  const server = new pg.Client({ connectionString: databaseUrl });
  await server.connect();
  // Other files verify on the same server: these databases are its own.
  await server.query("create role verifier login createdb password 'verifier'");
  const url = Object.assign(new URL(databaseUrl), { username: "verifier", password: "verifier" });
  const owned = async () => {
    const { rows } = await server.query("select from pg_database where datdba = 'verifier'::regrole");
    return rows.length;
  };
  const scratch = await Scratch.open({ databaseUrl: url.href });
  await Promise.all([scratch.copy(), scratch.copy()]);
  expect(await owned()).toBe(3);
  await scratch.close();
  expect(await owned()).toBe(0);
  await server.query("drop role verifier");
  await server.end();
});

const isMatch = (fault: Fault, wanted: Partial<Fault>): boolean =>
  Object.entries(wanted).every(([name, value]) => (fault as Record<string, unknown>)[name] === value);

it("answers what a child waits for, too", async () => {
  const delivery = defineWorkflow({ name: "delivery", input: z.object({}) }, (ctx) =>
    ctx.waitForEvent("shipped", { event: "parcel.shipped", schema: z.object({ parcel: z.string() }) }),
  );
  const placed = defineWorkflow({ name: "placed-with-delivery", input: z.object({}) }, (ctx) =>
    ctx.child("deliver", delivery, {}),
  );
  const answers = { shipped: { parcel: "P-1" } };
  const world = () => ({ observe: () => null });
  const report = await verifyWorkflow(placed, { databaseUrl, inputs: [{}], answers, world });
  expect(report.findings).toEqual([]);
});
