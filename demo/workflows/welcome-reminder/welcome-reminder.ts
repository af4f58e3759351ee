import { z } from "zod";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";

/** A welcome, a wait, a reminder. The welcome is not sent again, however long the wait and whatever restarts meanwhile. */
export const welcomeReminder = defineWorkflow(
  {
    name: "welcome-reminder",
    title: "Welcome and reminder",
    input: z.object({
      email: z.email(),
      delaySeconds: z
        .number()
        .min(0)
        .max(400 * 86_400),
    }),
    tags: ({ email }) => ({ email }),
  },
  async (ctx, { email, delaySeconds }) => {
    const { mail } = ctx.services;
    const once = { effect: "once", retry: { maxAttempts: 4 }, timeoutMs: 30_000 } as const;
    await ctx.step(
      "send-welcome",
      ({ idempotencyKey }) =>
        mail.send({ to: email, subject: "Welcome", text: "Good to have you here." }, idempotencyKey),
      { ...once, reference: ({ messageId }) => messageId },
    );
    await ctx.sleep("wait", delaySeconds * 1_000);
    await ctx.step(
      "send-reminder",
      ({ idempotencyKey }) =>
        mail.send({ to: email, subject: "A reminder", text: "Have you found your way?" }, idempotencyKey),
      { ...once, reference: ({ messageId }) => messageId },
    );
  },
);
