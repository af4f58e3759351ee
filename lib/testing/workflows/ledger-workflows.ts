import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";

/*
 * For workers in separate processes: bodies record on a separate connection when they began and ended. ledger.ts
 * creates the table.
 */
let opened: pg.Pool | undefined;
const ledger = (): pg.Pool => {
  const { databaseUrl } = JSON.parse(process.env.HANDRAIL_TEST_ORDERS as string) as { databaseUrl: string };
  opened ??= new pg.Pool({ connectionString: databaseUrl, max: 4 }).on("error", () => undefined);
  return opened;
};

async function written(runId: string, step: string, body: () => unknown): Promise<void> {
  const { rows } = await ledger().query(
    "insert into ledger (run_id, step, pid, began_at) values ($1, $2, $3, clock_timestamp()) returning id",
    [runId, step, process.pid],
  );
  await body();
  await ledger().query("update ledger set ended_at = clock_timestamp() where id = $1", [rows[0].id]);
}

/** Steps that wait. */
export const threeLines = defineWorkflow({ name: "three-lines", input: z.object({ n: z.int() }) }, async (ctx) => {
  for (const step of ["one", "two", "three"]) await ctx.step(step, () => written(ctx.run.id, step, () => delay(10)));
});

/** One step that keeps a core busy. */
export const oneBusyLine = defineWorkflow({ name: "one-busy-line", input: z.object({ n: z.int() }) }, async (ctx) => {
  await ctx.step("one", () =>
    written(ctx.run.id, "one", () => {
      const until = performance.now() + 1;
      while (performance.now() < until);
    }),
  );
});

/** Fails, without a retry, until the test makes the table `gateway_up`. */
export const behindAGateway = defineWorkflow(
  { name: "behind-a-gateway", input: z.object({ n: z.int() }) },
  async (ctx) => {
    await ctx.step("charge", async () => {
      await written(ctx.run.id, "charge", () => undefined);
      const { rows } = await ledger().query("select to_regclass('gateway_up') is not null as up");
      if (!rows[0].up) throw new NonRetryableError("connect ECONNREFUSED 127.0.0.1:3001");
    });
  },
);

export const workflows = [threeLines, oneBusyLine, behindAGateway];
