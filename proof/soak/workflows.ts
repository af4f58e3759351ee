import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { keptFor } from "../../lib/engine/runs/retention";
import { defineSchedule } from "../../lib/engine/schedules/schedule";
import { defineWorkflow, type Workflow } from "../../lib/engine/workflows/workflow";

/** What a worker's process of a soak is told, as JSON in SOAK_ORDERS. */
export interface WorkerOrders {
  version: number;
  retentionMs: number;
}

export const ARRIVED = "arrived";
export const SCHEDULE = "tick";
export const CHILDREN = 3;
/** A prime, so that the numbers of credits reach each account: one start in ten is a credit. */
export const ACCOUNTS = 997;
const BUSY_ACCOUNTS = 47;
/** Half of the credits go to busy accounts, several of one tick to the same one, so that they wait for each other. */
const accountOf = (n: number) => (n % 2 === 0 ? n % ACCOUNTS : Math.floor(n / 20) % BUSY_ACCOUNTS);
const CREDIT_MS = 10;

/** All of one version, which a deploy replaces by the next one. */
export function workflowsOf({ version, retentionMs }: WorkerOrders) {
  const common = { version, retention: keptFor(retentionMs), input: z.object({ n: z.number() }) };
  const tags = ({ n }: { n: number }) => ({ order: `o-${n}` });
  const order = defineWorkflow({ ...common, name: "order", tags }, async (ctx, { n }) => {
    const reserved = await ctx.step("reserve", () => n + 1);
    const charged = await ctx.step("charge", () => reserved + 1);
    return ctx.step("confirm", () => charged + 1);
  });
  /** One at a time for each account. The app's ledger would take a second credit, or two at once, for the judge to find. */
  const concurrency = { limit: 1, key: ({ n }: { n: number }) => `${accountOf(n)}` };
  const credit = defineWorkflow({ ...common, name: "credit", concurrency }, async (ctx, { n }) => {
    const account = accountOf(n);
    await ctx.transaction(
      "credit",
      async (tx) => {
        const { rows } = await tx.query("select clock_timestamp()::text as begun_at");
        await delay(CREDIT_MS);
        await tx.query("update soak.account set balance = balance + 1 where id = $1", [account]);
        const values = [ctx.run.id, account, rows[0]?.begun_at];
        await tx.query("insert into soak.credit (run_id, account_id, begun_at) values ($1, $2, $3)", values);
      },
      { client: "pg" },
    );
  });
  const item = defineWorkflow({ ...common, name: "item" }, (ctx, { n }) => ctx.step("pack", () => n));
  const family = defineWorkflow({ ...common, name: "family" }, async (ctx, { n }) => {
    const items = Array.from({ length: CHILDREN }, (_, place) => ctx.child(`item-${place}`, item, { n: n + place }));
    return (await Promise.all(items)).length;
  });
  const parcel = defineWorkflow({ ...common, name: "parcel" }, async (ctx, { n }) => {
    await ctx.step("send", () => n);
    const payload = await ctx.waitForEvent("arrival", { event: ARRIVED });
    return ctx.step("close", () => payload as number);
  });
  const tick = defineWorkflow({ ...common, name: "tick" }, (ctx) => ctx.step("tick", () => 0));
  return { order, credit, item, family, parcel, tick } satisfies Record<string, Workflow>;
}

export const schedulesOf = ({ tick }: ReturnType<typeof workflowsOf>) => [
  defineSchedule({ name: SCHEDULE, workflow: tick, input: { n: 0 }, everyMs: 1_000 }),
];
