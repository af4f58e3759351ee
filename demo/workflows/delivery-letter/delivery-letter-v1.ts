import { NonRetryableError } from "../../../lib/engine/steps/retry-policy";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";
import { ABOUT_THE_LETTER, textOf } from "./delivery-letter";

/** As it was: it takes every postcode for a German one. Kept beside version 2 for the runs that began with it. */
export const deliveryLetterV1 = defineWorkflow(
  { ...ABOUT_THE_LETTER, version: 1 },
  async (ctx, { email, postcode }) => {
    const text = await ctx.step("write-letter", () => textOf(postcode), { effect: "pure" });
    await ctx.step(
      "check-postcode",
      () => {
        if (!/^\d{5}$/.test(postcode)) throw new NonRetryableError(`"${postcode}" does not have five digits`);
      },
      { effect: "pure" },
    );
    await ctx.step(
      "send-letter",
      ({ idempotencyKey }) => ctx.services.mail.send({ to: email, subject: "Your delivery", text }, idempotencyKey),
      { effect: "once", timeoutMs: 30_000, reference: ({ messageId }) => messageId },
    );
  },
);
