import { z } from "zod";
import { DELIVERY_STATUSES } from "../../engine/notices/delivery-status";
import { DEFAULT_PER_MINUTE, MAX_PER_MINUTE, NOTICE_KINDS } from "../../engine/notices/notice";
import { page, plainText, reason } from "./requests";
import { givenId, instant } from "./values";

/** One line: it is used in the subjects of mails. */
const name = plainText
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Holds a line break or another control character.");
/** Neither quotes nor comments: a plain address, and no text that could inject a header. */
const MAIL_ADDRESS =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/;
const mailAddress = z.string().max(254).regex(MAIL_ADDRESS, "This is not an address of e-mail.");

export const DESTINATION_KINDS = ["webhook", "email", "slack", "pagerduty", "opsgenie", "teams"] as const;
const kind = z.enum(DESTINATION_KINDS);

const chosen = {
  name,
  /** Of a webhook and of Teams; of Slack, PagerDuty and Opsgenie another address than their usual one, such as that of the EU. */
  url: plainText.trim().min(1).max(2_000).nullable().default(null),
  /** Of e-mail. */
  addresses: z.array(mailAddress).min(1).max(20).nullable().default(null),
  /** Of Slack: the id of a channel, or its name. */
  channel: z
    .string()
    .trim()
    .regex(/^#?[\p{L}\p{N}_-]{1,80}$/u, "This is not a channel.")
    .nullable()
    .default(null),
  /** The address of a page on what to do, linked in each message; {event} and {workflow} in it are replaced. */
  runbook: plainText
    .trim()
    .max(500)
    .regex(/^https?:\/\/[^\s"<>\\]+$/, "This is not the address of a page: it begins with https:// or http://.")
    .refine((text) => URL.canParse(text.replaceAll(/[{}]/g, "")), "This is not the address of a page.")
    .nullable()
    .default(null),
  /** Of Slack, PagerDuty and Opsgenie; it is never returned. In a change, null keeps the present one. */
  token: z.string().trim().min(1).max(500).nullable().default(null),
  events: z.array(z.enum(NOTICE_KINDS)).min(1).max(NOTICE_KINDS.length),
  /** Only events of these; null: all. */
  workflows: z.array(plainText.min(1).max(200)).min(1).max(100).nullable().default(null),
  /** Messages at most; what exceeds it is combined into one message. */
  perMinute: z.int().min(1).max(MAX_PER_MINUTE).default(DEFAULT_PER_MINUTE),
};

export const destinationRequest = z.strictObject({ kind, ...chosen, reason }).meta({ id: "DestinationRequest" });

const revision = z.int().nonnegative();

export const destinationChangeRequest = z
  .strictObject({ ...chosen, enabled: z.boolean(), revision, reason })
  .meta({ id: "DestinationChangeRequest" });

export const destinationActRequest = z.strictObject({ revision, reason }).meta({ id: "DestinationActRequest" });

export const destinationSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    kind,
    url: z.string().nullable(),
    addresses: z.array(z.string()).nullable(),
    channel: z.string().nullable(),
    runbook: z.string().nullable(),
    events: z.array(z.string()),
    workflows: z.array(z.string()).nullable(),
    perMinute: z.int(),
    enabled: z.boolean(),
    /** Switched off by itself. */
    disabledBecause: z.string().nullable(),
    /** Messages are also signed with the previous secret until then. */
    previousSecretUntil: instant.nullable(),
    /** No delivery has succeeded since. */
    failingSince: instant.nullable(),
    createdAt: instant,
    createdBy: z.string(),
    revision: z.int(),
  })
  .meta({ id: "Destination" });

export const destinationListResponse = z
  .object({ destinations: z.array(destinationSchema), /** Whether mail can be sent. */ mail: z.boolean() })
  .meta({ id: "DestinationListResponse" });

/** The secret is returned once: null for e-mail, and when the same request is sent again. */
export const destinationSecretResponse = z
  .object({ destination: destinationSchema, secret: z.string().nullable() })
  .meta({ id: "DestinationSecretResponse" });

export const deliverySchema = z
  .object({
    id: z.uuid(),
    status: z.enum(DELIVERY_STATUSES),
    /** The first few of its events. */
    events: z.array(
      z.object({
        type: z.string(),
        at: instant,
        sentence: z.string(),
        /** What it says of something sent before; null: it says that first. */
        state: z.enum(["open", "acknowledged", "resolved"]).nullable(),
      }),
    ),
    eventCount: z.int(),
    createdAt: instant,
    /** The run that sends it; null while events are still gathered. */
    runId: z.uuid().nullable(),
    attempts: z.int(),
    nextAttemptAt: instant.nullable(),
    finishedAt: instant.nullable(),
    error: z.string().nullable(),
    /** `ms` is null for an attempt that is under way or was interrupted. */
    lastAttempt: z
      .object({ beganAt: instant, ms: z.int().nullable(), code: z.int().nullable(), error: z.string().nullable() })
      .nullable(),
  })
  .meta({ id: "Delivery" });

export const deliveryListQuery = z.strictObject(page);
export const deliveryListResponse = z
  .object({ deliveries: z.array(deliverySchema), nextCursor: z.string().nullable() })
  .meta({ id: "DeliveryListResponse" });

export const redeliveryRequest = z.strictObject({ reason }).meta({ id: "RedeliveryRequest" });

export type Destination = z.infer<typeof destinationSchema>;
export type DestinationListResponse = z.infer<typeof destinationListResponse>;
export type DestinationSecretResponse = z.infer<typeof destinationSecretResponse>;
export type Delivery = z.infer<typeof deliverySchema>;
export type DeliveryListResponse = z.infer<typeof deliveryListResponse>;
export type DestinationRequest = z.input<typeof destinationRequest>;
export type DestinationChangeRequest = z.input<typeof destinationChangeRequest>;
export type DestinationActRequest = z.input<typeof destinationActRequest>;

/** What a report of a bulk action or a problem would say, and the destinations that take it. */
export const reportPreviewSchema = z
  .object({
    /** Names and numbers alone, as of now; a link to the page is sent with it. */
    sentence: z.string(),
    destinations: z.array(z.object({ id: z.string(), name: z.string(), kind: z.enum(DESTINATION_KINDS) })),
  })
  .meta({ id: "ReportPreview" });

export const reportRequest = z.strictObject({ destinationId: givenId, reason }).meta({ id: "ReportRequest" });

export const sentReportSchema = z
  .object({ deliveryId: z.string(), status: z.enum(DELIVERY_STATUSES), sentence: z.string() })
  .meta({ id: "SentReport" });

export type ReportPreview = z.infer<typeof reportPreviewSchema>;
export type ReportRequest = z.infer<typeof reportRequest>;
export type SentReport = z.infer<typeof sentReportSchema>;
