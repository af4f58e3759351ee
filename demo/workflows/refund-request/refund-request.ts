import { z } from "zod";
import { defineEvent } from "../../../lib/engine/events/event";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";

/** Above this, a person must approve. */
const FREE_HAND_CENTS = 5_000;

/** Sent by the courier, with the parcel's number. */
export const parcelReturned = defineEvent({
  name: "parcel.returned",
  payload: z.object({ parcelId: z.string().min(1).max(100), damaged: z.boolean().default(false) }),
});

/** Pays a refund once the parcel is back; a large sum only after approval. */
export const refundRequest = defineWorkflow(
  {
    name: "refund-request",
    title: "Refund request",
    input: z.object({
      accountId: z.string().min(1).max(100),
      orderId: z.string().min(1).max(100),
      parcelId: z.string().min(1).max(100),
      amountCents: z.int().positive().max(100_000_000),
      reason: z.string().min(1).max(500),
    }),
    tags: ({ orderId, parcelId }) => ({ orderId, parcelId }),
    events: [parcelReturned],
  },
  async (ctx, { accountId, orderId, parcelId, amountCents, reason }) => {
    if (amountCents > FREE_HAND_CENTS) {
      const answer = await ctx.approval("approve-refund", {
        question: `Refund ${(amountCents / 100).toFixed(2)} for order ${orderId}?`,
        data: { orderId, amountCents, reason },
        timeout: "7d",
        default: "reject",
      });
      if (answer.choice === "reject") return { refunded: false, why: answer.note ?? "nobody approved it" };
    }
    const returned = await ctx.waitForEvent("parcel-returned", {
      event: parcelReturned,
      key: parcelId,
      timeout: "14d",
      default: null,
    });
    if (!returned || returned.damaged) return { refunded: false, why: returned ? "damaged" : "never came back" };
    await ctx.transaction(
      "credit-account",
      async (tx) => {
        await tx.query(`insert into demo.account (id) values ($1) on conflict do nothing`, [accountId]);
        await tx.query(`update demo.account set balance_cents = balance_cents + $2 where id = $1`, [
          accountId,
          amountCents,
        ]);
        await tx.query(`insert into demo.account_entry (account_id, amount_cents, run_id) values ($1, $2, $3)`, [
          accountId,
          amountCents,
          ctx.run.id,
        ]);
      },
      { client: "pg" },
    );
    return { refunded: true, why: null };
  },
);
