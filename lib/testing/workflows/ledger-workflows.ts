import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
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

export const workflows = [threeLines, oneBusyLine];
