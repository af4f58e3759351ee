import { z } from "zod";
import type { Joining } from "../../../lib/engine/fleet/placement";
import { createFleet, type Placed } from "../../../lib/library/fleet/fleet";
import { createHandrail, defineWorkflow, type PgTransaction } from "../../../lib/library/handrail";
import { createLogger } from "../../../lib/log";
import { seen } from "../body-ledger";

export const CELLS = ["eu", "us", "asia", "africa"] as const;
export type Cell = (typeof CELLS)[number];
export const STEPS = ["reserve", "charge", "ship"] as const;

/** The customer whose orders have a cell by name; those of others go by their key. */
export const TENANT = "acme";

/** Three effects outside of the database, each under the idempotency key of its step. */
export const order = defineWorkflow(
  { name: "fleet-order", input: z.object({ key: z.string(), tenant: z.string() }) },
  async (ctx, { key }) => {
    for (const step of STEPS)
      await ctx.step(step, ({ idempotencyKey: token }) =>
        seen({ runId: ctx.run.id, step, lane: key, token }, async () => token),
      );
  },
);

/** What one deploy of an app says of its fleet. */
export interface Deploy {
  cells: readonly Cell[];
  added?: Partial<Record<Cell, Joining>>;
  /** Of `TENANT`. Default: by the key, as all others. */
  tenant?: Placed<Cell>;
}

/** The fleet of one deploy. */
export function fleetOf({ cells, added = {}, tenant }: Deploy, urls: Readonly<Record<Cell, string>>) {
  const log = createLogger("handrail", "silent");
  const open = (cell: Cell) => createHandrail({ workflows: [order], databaseUrl: urls[cell], log });
  return createFleet<Cell, PgTransaction>({
    cells: Object.fromEntries(cells.map((cell) => [cell, open(cell)])) as Record<Cell, ReturnType<typeof open>>,
    added,
    ...(tenant && {
      cellOf: ({ input, idempotencyKey = "" }) =>
        (input as { tenant: string }).tenant === TENANT ? tenant : { by: idempotencyKey },
    }),
  });
}
