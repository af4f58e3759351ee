import { z } from "zod";
import { isMailServer, isReceiver } from "./env-checks";
import type { demo } from "./env-demo";

/** What leads out of here. */
export const outbound = z.object({
  HANDRAIL_SMTP_URL: z
    .string()
    .refine(isMailServer)
    .optional()
    .describe(
      "the address of a mail server, such as HANDRAIL_SMTP_URL=smtp://user:password@mail.example.com:587 (smtps:// where TLS comes " +
        "first), or be left out to send no mail",
    ),
  HANDRAIL_MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>"\p{Cc}]{1,64}@[A-Za-z0-9.-]{1,253}$/u)
    .default("handrail@localhost")
    .describe("the address that mail comes from, such as HANDRAIL_MAIL_FROM=handrail@example.com"),
  HANDRAIL_INTERNAL_RECEIVERS: z
    .string()
    .refine((text) => text.split(",").every(isReceiver))
    .optional()
    .describe(
      "origins of webhooks inside your own network, separated by commas, such as " +
        "HANDRAIL_INTERNAL_RECEIVERS=http://10.0.0.5:9000,https://hooks.internal, or be left out to reach none",
    ),
});

type OfOutbound = z.output<typeof outbound> & z.output<typeof demo>;

/** The demo's mailbox is the default. */
export function mailOf(data: OfOutbound): { url: string; from: string } | null {
  const demos = data.HANDRAIL_DEMO === "on" ? `smtp://127.0.0.1:${data.HANDRAIL_SMTP_PORT}` : undefined;
  const url = data.HANDRAIL_SMTP_URL ?? demos;
  return url === undefined ? null : { url, from: data.HANDRAIL_MAIL_FROM };
}

/** The demo's webhooks end at its sandbox. */
export function receiversOf({ HANDRAIL_INTERNAL_RECEIVERS, HANDRAIL_DEMO, ...data }: OfOutbound): string[] {
  const given = HANDRAIL_INTERNAL_RECEIVERS?.split(",").map((text) => text.replace(/\/$/, "")) ?? [];
  return HANDRAIL_DEMO === "on" ? [...given, `http://127.0.0.1:${data.HANDRAIL_SANDBOX_PORT}`] : given;
}
