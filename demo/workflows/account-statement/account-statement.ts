import { z } from "zod";
import { defineEvent } from "../../../lib/engine/events/event";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";

const DAY_MS = 86_400_000;
/** The latest entries that a statement adds up. */
const MOST_ENTRIES = 5_000;

export const statementAsked = defineEvent({
  name: "statement.asked",
  payload: z.object({ accountId: z.string().min(1).max(100) }),
});

/** Adds up an account on request; for one that asks again on the same day, on the next. */
export const accountStatement = defineWorkflow(
  {
    name: "account-statement",
    title: "Account statement",
    input: statementAsked.payload,
    on: statementAsked,
    tags: ({ accountId }) => ({ accountId }),
    rateLimit: { limit: 1, perMs: DAY_MS, key: ({ accountId }) => accountId },
  },
  async (ctx, { accountId }) => {
    const amounts = await ctx.transaction(
      "read-entries",
      async (tx) => {
        const { rows } = await tx.query<{ amount_cents: number }>(
          `select amount_cents from demo.account_entry where account_id = $1 order by id desc limit $2::int`,
          [accountId, MOST_ENTRIES],
        );
        return rows.map((row) => row.amount_cents);
      },
      { client: "pg" },
    );
    ctx.log(`entries to add up: ${amounts.length}`, { accountId });
    let balanceCents = 0;
    for (const [place, cents] of amounts.entries()) {
      // No step in this loop: here a stopping worker can release the run, and a cancel takes effect.
      await ctx.checkpoint();
      balanceCents += cents;
      ctx.progress(place + 1, amounts.length, "entries");
    }
    return { accountId, entries: amounts.length, balanceCents };
  },
);
