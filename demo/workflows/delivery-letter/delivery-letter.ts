import { z } from "zod";
import { NonRetryableError } from "../../../lib/engine/steps/retry-policy";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";

/** What all versions have in common. */
export const ABOUT_THE_LETTER = {
  name: "delivery-letter",
  title: "Delivery letter",
  input: z.object({ orderId: z.string().min(1).max(100), email: z.email(), postcode: z.string().min(1).max(12) }),
  tags: ({ orderId }: { orderId: string }) => ({ orderId }),
};

export const textOf = (postcode: string) => `Your parcel is on its way to ${postcode}.`;

const POSTCODES: Record<string, RegExp> = { DE: /^\d{5}$/, GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/ };

/**
 * Version 2 supports other countries: "look-up-country" has come first, and "write-letter" is "compose-letter" now. A
 * run that version 1 began has done "write-letter", which this code no longer reaches: it has drifted. Before the
 * letter is sent the steps only compute, so such a run may go on.
 */
export const deliveryLetter = defineWorkflow(
  { ...ABOUT_THE_LETTER, version: 2, drift: "go_on" },
  async (ctx, { email, postcode }) => {
    const country = await ctx.step(
      "look-up-country",
      () => Object.keys(POSTCODES).find((code) => POSTCODES[code]?.test(postcode)) ?? null,
      { effect: "pure" },
    );
    const text = await ctx.step("compose-letter", () => `${textOf(postcode)} (${country})`, { effect: "pure" });
    await ctx.step(
      "check-postcode",
      () => {
        if (country === null) throw new NonRetryableError(`No country has the postcode "${postcode}"`);
      },
      { effect: "pure" },
    );
    await ctx.step(
      "send-letter",
      ({ idempotencyKey }) => ctx.services.mail.send({ to: email, subject: "Your delivery", text }, idempotencyKey),
      { effect: "once", timeoutMs: 30_000, reference: ({ messageId }) => messageId },
    );
    return { country };
  },
);
