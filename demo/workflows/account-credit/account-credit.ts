import { z } from "zod";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";

/** Credits an account exactly once: the entry, the balance and the checkpoint commit together. Written in plain SQL. */
export const accountCredit = defineWorkflow(
  {
    name: "account-credit",
    title: "Account credit",
    input: z.object({ accountId: z.string().min(1).max(100), amountCents: z.int().positive().max(100_000_000) }),
    tags: ({ accountId }) => ({ accountId }),
  },
  async (ctx, { accountId, amountCents }) => {
    const balanceCents = await ctx.transaction(
      "credit-account",
      async (tx) => {
        await tx.query(`insert into demo.account (id) values ($1) on conflict do nothing`, [accountId]);
        const { rows } = await tx.query<{ balance_cents: string }>(
          `update demo.account set balance_cents = balance_cents + $2 where id = $1 returning balance_cents`,
          [accountId, amountCents],
        );
        await tx.query(`insert into demo.account_entry (account_id, amount_cents, run_id) values ($1, $2, $3)`, [
          accountId,
          amountCents,
          ctx.run.id,
        ]);
        return Number(rows[0]?.balance_cents);
      },
      { client: "pg" },
    );
    return { accountId, balanceCents };
  },
);
