import pg from "pg";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";

const input = z.object({ items: z.number(), ledger: z.string() });

const numbers = (count: number, first = 0) => Array.from({ length: count }, (_, index) => first + index);

/** Writes what its bodies do into the table `ledger` of the database at this address, by the keys that they got. */
const ledgers = new Map<string, pg.Pool>();
const ledgerAt = (url: string) => {
  const pool = ledgers.get(url) ?? new pg.Pool({ connectionString: url, max: 4 });
  ledgers.set(url, pool);
  return pool;
};
const note = (url: string, item: number, key: string) =>
  ledgerAt(url).query("insert into ledger (item, key) values ($1, $2)", [item, key]);

export const endLedgers = async () => {
  for (const pool of ledgers.values()) await pool.end();
  ledgers.clear();
};

/** Over all items, and over pages that a function reads: each body is in the ledger. */
export const mapped = defineWorkflow({ name: "mapped", input }, async (ctx, { items, ledger }) => {
  const factor = await ctx.step("factor", () => 2, { effect: "pure" });
  return ctx.mapSteps(
    numbers(items),
    "double",
    async (item, { idempotencyKey }) => {
      await note(ledger, item, idempotencyKey);
      return item * factor;
    },
    { pageSize: 5, concurrency: 3, reduce: (outputs) => outputs.reduce((sum, output) => sum + output, 0) },
  );
});

export const read = defineWorkflow({ name: "read", input }, (ctx, { items, ledger }) =>
  ctx.mapSteps(
    (from: number | undefined = 0) => ({
      items: numbers(Math.min(5, items - from), from),
      next: from + 5 < items ? from + 5 : null,
    }),
    "double",
    async (item, { idempotencyKey }) => {
      await note(ledger, item, idempotencyKey);
      return item * 2;
    },
    { concurrency: 3, reduce: (outputs) => outputs.reduce((sum, output) => sum + output, 0) },
  ),
);

export const workflows = [mapped, read];

/** What tests ask about maps. */
export const LEDGER = "create table ledger (item int not null, key text not null)";
