import { z } from "zod";
import { ALERT_KINDS, ALERT_STATES, SEVERITIES } from "../../engine/alerts/alert-rule";
import { plainText, reason } from "./requests";
import { givenId, instant } from "./values";

const workflows = z.array(plainText.min(1).max(200)).min(1).max(100).nullable();
const muteWindow = z.strictObject({
  /** 1 is Monday, 7 is Sunday. */
  days: z.array(z.int().min(1).max(7)).min(1).max(7),
  from: z.string().max(5),
  to: z.string().max(5),
  timeZone: plainText.min(1).max(100),
});

/** Durations are milliseconds. docs/signals/alerts.md has the kinds, their units and their bounds. */
const numbers = {
  kind: z.enum(ALERT_KINDS),
  threshold: z.number(),
  resolveThreshold: z.number(),
  windowMs: z.int().nullable(),
  minCount: z.int().nullable(),
  forMs: z.int(),
  resolveForMs: z.int(),
};

const defined = {
  name: plainText.min(1).max(100),
  ...numbers,
  workflows,
  together: z.boolean(),
  quietMs: z.int(),
  severity: z.enum(SEVERITIES),
  runbook: plainText.trim().max(500).nullable(),
  muteWindows: z.array(muteWindow).max(20),
  enabled: z.boolean(),
};

const revision = z.int().nonnegative();

export const alertRuleRequest = z.strictObject({ ...defined, reason }).meta({ id: "AlertRuleRequest" });
export const alertRuleChangeRequest = z
  .strictObject({ ...defined, revision, reason })
  .meta({ id: "AlertRuleChangeRequest" });
export const alertRuleActRequest = z.strictObject({ revision, reason }).meta({ id: "AlertRuleActRequest" });
export const alertMuteRequest = z
  .strictObject({ /** Null: no longer. */ until: instant.nullable(), reason })
  .meta({ id: "AlertMuteRequest" });
export const alertAcknowledgementRequest = z
  .strictObject({ alertId: givenId, reason: reason.default("Acknowledged.") })
  .meta({ id: "AlertAcknowledgementRequest" });

/** The numbers of a rule that may not exist. */
export const alertPreviewQuery = z.strictObject({
  kind: z.enum(ALERT_KINDS),
  threshold: z.coerce.number(),
  resolveThreshold: z.coerce.number(),
  windowMs: z.coerce.number().optional(),
  minCount: z.coerce.number().optional(),
  forMs: z.coerce.number(),
  resolveForMs: z.coerce.number(),
  workflow: z.array(plainText.min(1).max(200)).max(100).optional(),
  together: z.enum(["true", "false"]).default("false"),
});

export const alertPreviewResponse = z
  .object({
    /** Now; null: nothing to measure. */
    value: z.number().nullable(),
    subject: z.string().nullable(),
    /** Null for kinds whose past is not counted. */
    history: z
      .object({
        firings: z.int(),
        /** How far back is counted. */
        fromMs: z.number(),
        highest: z.number().nullable(),
      })
      .nullable(),
  })
  .meta({ id: "AlertPreviewResponse" });

const reading = {
  kind: z.enum(ALERT_KINDS),
  threshold: z.number(),
  windowMs: z.number().nullable(),
  value: z.number().nullable(),
  /** The workflow or schedule that is worst; null: the whole installation. */
  subject: z.string().nullable(),
};

/** For the Inbox. */
export const openAlertSchema = z
  .object({
    /** Of the rule. */
    id: z.uuid(),
    name: z.string(),
    ...reading,
    severity: z.enum(SEVERITIES),
    openedAt: instant,
    acknowledgedBy: z.string().nullable(),
  })
  .meta({ id: "OpenAlert" });

export const alertRuleSchema = z
  .object({
    id: z.uuid(),
    ...defined,
    ...reading,
    /** `code`: of an app's `defineAlerts`, read-only here. `default`: made with Handrail. */
    source: z.enum(["code", "console", "default"]),
    /** Code defined it, and no live worker's code does any more: it is not judged. */
    retired: z.boolean(),
    state: z.enum(ALERT_STATES),
    breachedSince: instant.nullable(),
    /** Nothing is sent now, because of a person or of its hours. */
    muted: z.boolean(),
    mutedUntil: instant.nullable(),
    mutedBy: z.string().nullable(),
    revision: z.int(),
    createdAt: instant,
    createdBy: z.string(),
    /** Each time that it fired, latest first: one in a list, 50 of one rule. */
    alerts: z.array(
      z.object({
        id: z.uuid(),
        value: z.number().nullable(),
        subject: z.string().nullable(),
        openedAt: instant,
        /** When a message was queued; null: it was muted, or within the quiet time. */
        noticedAt: instant.nullable(),
        acknowledgedAt: instant.nullable(),
        acknowledgedBy: z.string().nullable(),
        resolvedAt: instant.nullable(),
      }),
    ),
  })
  .meta({ id: "AlertRule" });

export const alertRuleListResponse = z
  .object({ rules: z.array(alertRuleSchema), updatedAt: instant })
  .meta({ id: "AlertRuleListResponse" });

export const alertTestResponse = z
  .object({ /** How many it is sent to. */ destinations: z.int() })
  .meta({ id: "AlertTestResponse" });

export type AlertRuleView = z.infer<typeof alertRuleSchema>;
export type OpenAlert = z.infer<typeof openAlertSchema>;
export type AlertPreviewQuery = Omit<z.output<typeof alertPreviewQuery>, "together"> & { together?: "true" | "false" };
export type AlertRuleRequest = z.input<typeof alertRuleRequest>;
export type AlertRuleChangeRequest = z.input<typeof alertRuleChangeRequest>;
export type AlertRuleActRequest = z.input<typeof alertRuleActRequest>;
export type AlertMuteRequest = z.input<typeof alertMuteRequest>;
export type AlertAcknowledgementRequest = z.input<typeof alertAcknowledgementRequest>;
