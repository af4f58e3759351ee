import { z } from "zod";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";

/**
 * Pays a seller out. The bank transfer is compensated manually, and needs two people: no one can waive a payout, or
 * restart one, alone.
 */
export const sellerPayout = defineWorkflow(
  {
    name: "seller-payout",
    title: "Seller payout",
    input: z.object({
      sellerId: z.string().min(1).max(100),
      amountCents: z.int().positive().max(100_000_000),
      bankEmail: z.email(),
    }),
    tags: ({ sellerId }) => ({ sellerId }),
    runTitle: ({ sellerId, amountCents }) => `Payout of ${(amountCents / 100).toFixed(2)} to ${sellerId}`,
    fourEyes: ["mark_compensated", "waive", "rerun_with_fresh_keys", "start_again"],
  },
  async (ctx, { sellerId, amountCents, bankEmail }) => {
    const booked = (sign: number) => [sellerId, sign * amountCents, ctx.run.id];
    const entry = "insert into demo.account_entry (account_id, amount_cents, run_id) values ($1, $2, $3)";
    await ctx.transaction(
      "book-payout",
      async (tx) => {
        await tx.query("insert into demo.account (id) values ($1) on conflict do nothing", [sellerId]);
        await tx.query(entry, booked(-1));
      },
      { client: "pg" },
    );
    const order = await ctx.step(
      "order-transfer",
      ({ idempotencyKey }) =>
        ctx.services.mail.send(
          { to: bankEmail, subject: `Payout to ${sellerId}`, text: `Pay ${(amountCents / 100).toFixed(2)}.` },
          idempotencyKey,
        ),
      {
        effect: "once",
        reference: ({ messageId }) => messageId,
        compensate: "manual",
        instructions: `Ask the bank to return the payout of ${(amountCents / 100).toFixed(2)} to ${sellerId}, and write down its answer.`,
      },
    );
    return { orderedAs: order.messageId };
  },
);
