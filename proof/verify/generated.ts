import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { NonRetryableError } from "../../lib/engine/steps/retry-policy";
import type { StepBody } from "../../lib/engine/workflows/step-options";
import { type Context, defineWorkflow, type Workflow } from "../../lib/engine/workflows/workflow";
import type { WorldOptions } from "../../lib/verify/options";
import type { VerifyReport, World } from "../../lib/verify/verify";
import { verifySome } from "../../lib/verify/verify-workflow";
import { randomOf } from "../faults/random";
import { type Family, type Part, partsIn, randomWorkflow } from "./random-workflows";

/*
 * Generated workflows on `verifyWorkflow`: one workflow takes the parts that it consists of as its input, so that many are
 * verified on the same databases.
 */
const input = z.object({ parts: z.custom<Part[]>(Array.isArray) });
const retry = { initialDelayMs: 10 };

const childOf = defineWorkflow({ name: "generated-child", input, retry }, async (ctx, { parts }) => {
  await take(ctx, parts);
});
const STOPS = defineWorkflow({ name: "generated", input, retry }, async (ctx, { parts }) => {
  await take(ctx, parts);
});
const COMPENSATES = defineWorkflow(
  { name: "generated-compensated", input, retry, onFailure: "compensate" },
  async (ctx, { parts }) => {
    await take(ctx, parts);
  },
);

interface Provider {
  /** @throws once a key, if it is flaky */
  act(what: string, key: string, flaky?: boolean): Promise<string>;
  find(key: string): Promise<string | undefined>;
  /** Each call is another one. */
  send(what: string, key: string): Promise<string>;
}

async function take(ctx: Context, parts: readonly Part[]): Promise<void> {
  for (const part of parts) await takePart(ctx, part);
}

async function takePart(ctx: Context, part: Part): Promise<unknown> {
  const { provider } = ctx.services as unknown as { provider: Provider };
  switch (part.kind) {
    case "step":
      return takeStep(ctx, part, provider);
    case "sleep":
      return ctx.sleep(part.name, `${part.seconds}s`);
    case "recorded":
      return ctx[part.what](part.name);
    case "transaction":
      return ctx.transaction(
        part.name,
        async (tx) => void (await tx.query("insert into generated_row values ($1)", [part.name])),
        { client: "pg" },
      );
    case "caught":
      try {
        return await ctx.step(part.name, () => Promise.reject(new NonRetryableError("refused")), { effect: "pure" });
      } catch {
        return ctx.step(`${part.name}-instead`, ({ idempotencyKey }) => provider.act(part.name, idempotencyKey));
      }
    case "choice": {
      const isOdd = await ctx.step(part.name, () => part.odd, { effect: "pure" });
      return take(ctx, isOdd ? part.ifOdd : part.otherwise);
    }
    case "parallel":
      return Promise.all(part.branches.map((branch) => take(ctx, branch)));
    case "event":
      return ctx.waitForEvent(part.name, { event: part.name });
    case "approval":
      return ctx.approval(part.name, { question: "Go on?" });
    case "child":
      return ctx.child(part.name, childOf, { parts: part.parts });
  }
}

function takeStep(ctx: Context, part: Extract<Part, { kind: "step" }>, provider: Provider): Promise<unknown> {
  const { name, effect, attempts, flaky } = part;
  const body = async ({ idempotencyKey, signal }: StepBody) => {
    if (part.timeout) await delay(0, undefined, { signal });
    if (effect === "once") return provider.send(name, idempotencyKey);
    return effect === "pure" ? name : provider.act(name, idempotencyKey, flaky);
  };
  return ctx.step(name, body, {
    effect,
    ...(effect !== "once" && { retry: { maxAttempts: attempts } }),
    ...(effect === "once" && { instructions: "Ask the provider." }),
    ...(part.timeout && { timeoutMs: 60_000 }),
    ...(part.reconciles && {
      reconcile: async ({ idempotencyKey }: { idempotencyKey: string }) => {
        const output = await provider.find(idempotencyKey);
        return output === undefined ? { happened: false as const } : { happened: true as const, output };
      },
    }),
    ...(part.compensates && {
      compensate: (_: unknown, { idempotencyKey }: StepBody) => provider.act(`${name} reversed`, idempotencyKey),
    }),
  });
}

/** A provider that honours keys, and one that does not. @param honours false: a planted mistake */
const aWorld = (family: Family, honours: boolean) =>
  function world(options: WorldOptions): World {
    const done = new Map<string, string>();
    const sent: string[] = [];
    const refused = new Set<string>();
    const databaseUrl = family === "alone" ? undefined : options.databaseUrl;
    let calls = 0;
    const provider: Provider = {
      async act(what, key, flaky = false) {
        if (flaky && !refused.has(key)) {
          refused.add(key);
          throw new Error("The provider is busy.");
        }
        done.set(honours ? key : `${key} ${++calls}`, what);
        return what;
      },
      find: async (key) => done.get(key),
      async send(what, key) {
        sent.push(what);
        done.set(key, what);
        return what;
      },
    };
    const observe = async () => ({
      done: [...done.values()].sort(),
      sent: sent.toSorted(),
      rows: databaseUrl ? await rowsOn(databaseUrl) : [],
    });
    return { services: { provider }, observe };
  };

async function rowsOn(connectionString: string, text = "select name from generated_row order by name") {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

interface Generated {
  databaseUrl: string;
  seed: number;
  /** Number of the first one. */
  from: number;
  count: number;
  family: Family;
  compensates: boolean;
  honours?: boolean;
  /** Deploys of the same code are tried as well. */
  redeployed?: boolean;
  /** Of the faults of each one, one in so many is tried. Default: all. */
  share?: number;
}

/** Generates so many workflows, and verifies each of them. */
export async function verifyGenerated(given: Generated): Promise<{ report: VerifyReport; workflows: Part[][] }> {
  const { databaseUrl, seed, from, count, family, compensates, honours = true, redeployed = false, share = 1 } = given;
  const workflows = Array.from({ length: count }, (_, index) =>
    randomWorkflow(randomOf("generated", seed, from + index, family), from + index, family),
  );
  const waits = workflows.flatMap(partsIn).filter(({ kind }) => kind === "event" || kind === "approval");
  const answers = Object.fromEntries(
    waits.flatMap((part) => ("name" in part ? [[part.name, part.kind === "event" ? {} : "approve"]] : [])),
  );
  const workflow = compensates ? COMPENSATES : STOPS;
  const options = {
    databaseUrl,
    inputs: workflows.map((parts) => ({ parts })),
    world: aWorld(family, honours),
    prepare: (url: string) => rowsOn(url, "create table generated_row (name text)"),
    answers,
    ...(redeployed && { against: workflow as Workflow }),
    budget: "1h",
    seed,
  } as const;
  return { report: await verifySome(workflow as Workflow, options, share), workflows };
}
