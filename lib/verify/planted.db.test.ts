import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { expect, inject, it } from "vitest";
import { z } from "zod";
import { type Context, defineWorkflow, type WorkflowOptions } from "../engine/workflows/workflow";
import { oneIn } from "../testing/sample";
import { type Finding, formatReport, verifyWorkflow } from "./verify";

/*
 * Mistakes that authors make, each with its corrected twin: the mistake is found, at its line, and the twin passes without a
 * finding. A line of a mistake ends with the comment that names it.
 */

const databaseUrl = inject("postgresUrl");
const source = readFileSync(new URL(import.meta.url), "utf8").split("\n");
const input = z.object({});

/** A provider that honours keys, one that does not, and the app's own table. */
function aWorld() {
  const done = new Map<string, string>();
  const mails: string[] = [];
  const services = {
    act: async (what: string, key: string) => void done.set(key, what),
    reverse: async (what: string, key: string) => void done.set(key, `${what} reversed`),
    send: async (what: string) => void mails.push(what),
  };
  return { services, observe: () => ({ done: [...done.values()].sort(), mails }) };
}
type Services = ReturnType<typeof aWorld>["services"];

type Code = (ctx: Context, services: Services) => Promise<unknown>;
type Options = Partial<Omit<WorkflowOptions<StandardSchemaV1>, "on">>;

interface Planted {
  mistake: string;
  finds: { kind: Finding["kind"]; step?: string | null; says?: string };
  wrong: Code;
  right: Code;
  options?: Options;
}

const ok = { effect: "once" } as const;
let environment = "";

const reversedOnce: Code = async (ctx, { act, reverse }) => {
  const compensate = (_: unknown, { idempotencyKey }: { idempotencyKey: string }) => reverse("charge", idempotencyKey);
  await ctx.step("charge", ({ idempotencyKey }) => act("charge", idempotencyKey), { compensate });
  await ctx.step("ship", ({ idempotencyKey }) => act("ship", idempotencyKey));
};

const PLANTED: Planted[] = [
  {
    mistake: "the idempotency key is not used",
    finds: { kind: "twice", step: "mail", says: "does not use it" },
    wrong: (ctx, { send }) => ctx.step("mail", () => send("hello")), // the idempotency key is not used
    right: (ctx, { act }) => ctx.step("mail", ({ idempotencyKey }) => act("hello", idempotencyKey)),
  },
  {
    mistake: "the provider ignores the key",
    finds: { kind: "twice", step: "mail", says: "ignores the key" },
    wrong: (ctx, { send }) => ctx.step("mail", ({ idempotencyKey }) => send(idempotencyKey)), // the provider ignores the key
    right: (ctx, { send }) => ctx.step("mail", ({ idempotencyKey }) => send(idempotencyKey), ok),
  },
  {
    mistake: "an item's body that does not use its key",
    finds: { kind: "twice", step: "mails", says: "does not use it" },
    wrong: (ctx, { send }) => ctx.mapSteps(["a", "b"], "mails", (to) => send(to)), // an item's body that does not use its key
    right: (ctx, { act }) => ctx.mapSteps(["a", "b"], "mails", (to, { idempotencyKey }) => act(to, idempotencyKey)),
  },
  {
    mistake: "an effect between steps",
    finds: { kind: "twice", step: null, says: "Move it into a step" },
    wrong: async (ctx, { act, send }) => {
      await send("hello");
      await ctx.step("mark", ({ idempotencyKey }) => act("mark", idempotencyKey), { effect: "pure" });
    },
    right: async (ctx, { act, send }) => {
      await ctx.step("mail", () => send("hello"), ok);
      await ctx.step("mark", ({ idempotencyKey }) => act("mark", idempotencyKey), { effect: "pure" });
    },
  },
  {
    mistake: "the clock is read between steps",
    finds: { kind: "clock", step: null, says: "Date.now()" },
    wrong: async (ctx) => {
      const day = new Date(Date.now()).getUTCFullYear() > 2000; // the clock is read between steps
      await ctx.step(day ? "day" : "night", () => 1);
    },
    right: async (ctx) => {
      const now = await ctx.step("now", () => Date.now());
      await ctx.step(new Date(now).getUTCFullYear() > 2000 ? "day" : "night", () => 1);
    },
  },
  {
    mistake: "a random number between steps",
    finds: { kind: "random", step: null, says: "Math.random()" },
    wrong: async (ctx) => {
      const sample = Math.random(); // a random number between steps
      return ctx.step("draw", () => sample);
    },
    right: (ctx) => ctx.step("draw", () => Math.random()),
  },
  {
    mistake: "the environment is read between steps",
    finds: { kind: "environment", step: null, says: "process.env.VERIFY_PLANTED" },
    wrong: async (ctx) => {
      environment = process.env.VERIFY_PLANTED ?? ""; // the environment is read between steps
      return ctx.step("use", () => environment);
    },
    right: (ctx) => ctx.step("use", () => process.env.VERIFY_PLANTED ?? ""),
  },
  {
    mistake: "a request between steps",
    finds: { kind: "network", step: null, says: "fetch()" },
    wrong: async (ctx) => {
      const answer = await fetch("data:,hello"); // a request between steps
      const text = await answer.text();
      return ctx.step("use", () => text);
    },
    right: (ctx) => ctx.step("use", async () => (await fetch("data:,hello")).text()),
  },
  {
    mistake: "a step is named by the clock",
    finds: { kind: "other_path" },
    wrong: async (ctx) => {
      await ctx.step(`at ${process.hrtime.bigint()}`, () => 1);
      await ctx.step("last", () => 2);
    },
    right: async (ctx) => {
      await ctx.step("at", () => String(process.hrtime.bigint()));
      await ctx.step("last", () => 2);
    },
  },
  {
    mistake: "a step is not awaited",
    finds: { kind: "not_awaited", step: "mail" },
    wrong: async (ctx, { act }) => {
      void ctx.step("mail", ({ idempotencyKey }) => act("hello", idempotencyKey)); // a step is not awaited
    },
    right: async (ctx, { act }) => {
      await ctx.step("mail", ({ idempotencyKey }) => act("hello", idempotencyKey));
    },
  },
  {
    mistake: "a step within a step",
    finds: { kind: "nested_call", step: "outer" },
    wrong: (ctx) => ctx.step("outer", () => ctx.step("inner", () => 1)), // a step within a step
    right: async (ctx) => {
      const inner = await ctx.step("inner", () => 1);
      return ctx.step("outer", () => inner);
    },
  },
  {
    mistake: "two steps of one name",
    finds: { kind: "duplicate_step", step: "mail" },
    wrong: async (ctx) => {
      for (const item of [1, 2]) await ctx.step("mail", () => item); // two steps of one name
    },
    right: async (ctx) => {
      for (const item of [1, 2]) await ctx.step(`mail:${item}`, () => item);
    },
  },
  {
    mistake: "an output that cannot be kept",
    finds: { kind: "invalid_value", step: "client" },
    wrong: (ctx) => ctx.step("client", () => ({ close: () => undefined })), // an output that cannot be kept
    right: (ctx) => ctx.step("client", () => ({ closed: true })),
  },
  {
    mistake: "a transaction that commits by itself",
    finds: { kind: "transaction_ended", step: "write" },
    // a transaction that commits by itself is on the next line
    wrong: (ctx) => ctx.transaction("write", async (tx) => void (await tx.query("commit")), { client: "pg" }),
    right: (ctx) => ctx.transaction("write", async (tx) => void (await tx.query("select 1")), { client: "pg" }),
  },
  {
    mistake: "a body that ignores its signal",
    finds: { kind: "signal", step: "slow" },
    wrong: (ctx, { act }) =>
      ctx.step("slow", ({ idempotencyKey }) => act("slow", idempotencyKey), { timeoutMs: 9_000 }), // a body that ignores its signal
    right: (ctx, { act }) =>
      ctx.step(
        "slow",
        ({ idempotencyKey, signal }) => delay(0, undefined, { signal }).then(() => act("slow", idempotencyKey)),
        {
          timeoutMs: 9_000,
        },
      ),
  },
  {
    mistake: "a body that refuses what is done already",
    finds: { kind: "fails", step: "open" },
    wrong: (ctx, { act }) => {
      const { seen } = act as unknown as { seen: Set<string> };
      // a body that refuses what is done already is on the next line
      return ctx.step("open", ({ idempotencyKey }) => {
        if (seen.has(idempotencyKey)) throw new Error("The account exists.");
        seen.add(idempotencyKey);
      });
    },
    right: (ctx, { act }) => {
      const { seen } = act as unknown as { seen: Set<string> };
      return ctx.step("open", ({ idempotencyKey }) => void seen.add(idempotencyKey));
    },
  },
  {
    mistake: "a key that a rerun changes",
    finds: { kind: "twice", step: "charge" },
    wrong: async (ctx, { act }) => {
      const key = `${ctx.run.id}:${ctx.run.generation}`;
      await ctx.step("charge", () => act("charge", key)); // a key that a rerun changes
      await ctx.step("ship", ({ idempotencyKey }) => act("ship", idempotencyKey));
    },
    right: async (ctx, { act }) => {
      await ctx.step("charge", ({ idempotencyKey }) => act("charge", idempotencyKey));
      await ctx.step("ship", ({ idempotencyKey }) => act("ship", idempotencyKey));
    },
  },
  {
    mistake: "a compensation that is not idempotent",
    // Whose compensation it is cannot be seen from outside.
    finds: { kind: "twice", step: null },
    options: { onFailure: "compensate" },
    wrong: async (ctx, { act, send }) => {
      await ctx.step("charge", ({ idempotencyKey }) => act("charge", idempotencyKey), {
        compensate: () => send("refund"),
      });
      await ctx.step("ship", ({ idempotencyKey }) => act("ship", idempotencyKey));
    },
    right: reversedOnce,
  },
  {
    mistake: "a compensation that fails",
    finds: { kind: "compensation_failed", step: "charge", says: "no such charge" },
    options: { onFailure: "compensate", retry: { maxAttempts: 2 } },
    wrong: async (ctx, { act }) => {
      const compensate = () => Promise.reject(new Error("no such charge"));
      await ctx.step("charge", ({ idempotencyKey }) => act("charge", idempotencyKey), { compensate }); // a compensation that fails
      await ctx.step("ship", ({ idempotencyKey }) => act("ship", idempotencyKey));
    },
    right: reversedOnce,
  },
];

const verify = (name: string, code: Code, options: Options = {}) => {
  const workflow = defineWorkflow({ retry: { maxAttempts: 3, initialDelayMs: 10 }, ...options, name, input }, (ctx) =>
    code(ctx, ctx.services as unknown as Services),
  );
  const world = () => {
    const { services, observe } = aWorld();
    Object.assign(services.act, { seen: new Set<string>() });
    return { services, observe };
  };
  return verifyWorkflow(workflow, { databaseUrl, inputs: [{}], world });
};

/** Of the comment that names it: on the same line, or on the one before. */
function lineOf(mistake: string): string | null {
  const index = source.findIndex((code) => new RegExp(`// ${mistake}( is on the next line)?$`).test(code));
  if (index < 0) return null;
  return `lib/verify/planted.db.test.ts:${index + (source[index]?.endsWith("is on the next line") ? 2 : 1)}`;
}

it.for(oneIn(4, PLANTED))(
  "$mistake",
  { timeout: 300_000 },
  async ({ mistake, finds: { says = "", ...finds }, wrong, right, options }) => {
    const found = await verify("planted", wrong, options);
    const line = lineOf(mistake);
    expect(formatReport(found)).toContain(says);
    expect(found.findings).toContainEqual(expect.objectContaining({ ...finds, ...(line && { line }) }));
    const corrected = await verify("corrected", right, options);
    expect(formatReport(corrected), "the corrected twin").not.toMatch(/[✗!] /);
  },
);
