import { z } from "zod";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";

/**
 * For workers in processes: a run enters its customer's room and leaves it, and fails if it finds another run inside.
 * The test creates the table `room`.
 */
export const inRoom = defineWorkflow(
  {
    name: "in-room",
    input: z.object({ customer: z.string() }),
    singleton: { key: ({ customer }) => customer },
  },
  async (ctx, { customer }) => {
    await ctx.transaction(
      "enter",
      async (tx) => {
        const { rowCount } = await tx.query(
          `insert into room (customer, run_id) values ($1, $2)
           on conflict (customer) do update set run_id = excluded.run_id where room.run_id is null returning run_id`,
          [customer, ctx.run.id],
        );
        if (rowCount === 0) throw new NonRetryableError("Another run is inside.");
      },
      { client: "pg" },
    );
    await ctx.step("work", () => new Promise((resume) => setTimeout(resume, 20)));
    await ctx.transaction(
      "leave",
      (tx) => tx.query("update room set run_id = null where customer = $1", [customer]).then(() => undefined),
      { client: "pg" },
    );
  },
);

/** One live run of a customer, and one start in an hour. */
export const once = defineWorkflow(
  {
    name: "once-an-hour",
    input: z.object({ customer: z.string() }),
    singleton: { key: ({ customer }) => customer },
    throttle: { limit: 1, perMs: 3_600_000, key: ({ customer }) => customer },
  },
  (ctx) => ctx.sleep("long", "1h"),
);

export const workflows = [inRoom, once];
