import { z } from "zod";
import * as managing from "../../operator/alerts/alert-rules";
import { previewAlertRule, readAlertRule, readAlertRules } from "../../operator/alerts/alert-view";
import { doneResponse } from "../contract/access";
import * as contract from "../contract/alerts";
import { givenId } from "../contract/values";
import { endpoint } from "../endpoint";

const ofRule = z.strictObject({ id: givenId });

export const listAlertRules = endpoint(
  {
    method: "GET",
    path: "/v1/alerts",
    action: "alert.read",
    summary: "Alert rules with their state, those that fire first",
    answer: contract.alertRuleListResponse,
    statuses: { 200: "The rules" },
  },
  async ({ server: { db }, permissions }) => ({ status: 200, body: await readAlertRules(db, permissions) }),
);

export const previewAlert = endpoint(
  {
    method: "GET",
    path: "/v1/alert-preview",
    action: "alert.manage",
    summary: "What a rule with these numbers would see now, and how often it would have fired",
    query: contract.alertPreviewQuery,
    answer: contract.alertPreviewResponse,
    refusals: [422],
    statuses: { 200: "The preview" },
  },
  async ({ server: { db }, query: { workflow, together, windowMs = null, minCount = null, ...numbers } }) => ({
    status: 200,
    body: await previewAlertRule(db, {
      ...numbers,
      ...{ windowMs, minCount, name: "preview", workflows: workflow ?? null, together: together === "true" },
      ...{ quietMs: 0, severity: "critical", runbook: null, muteWindows: [] },
    }),
  }),
);

export const getAlertRule = endpoint(
  {
    method: "GET",
    path: "/v1/alerts/{id}",
    action: "alert.read",
    summary: "One alert rule, and the last 50 times that it fired",
    params: ofRule,
    answer: contract.alertRuleSchema,
    statuses: { 200: "The rule" },
  },
  async ({ server: { db }, params, permissions }) => ({
    status: 200,
    body: await readAlertRule(db, params.id, permissions),
  }),
);

export const addAlertRule = endpoint(
  {
    method: "POST",
    path: "/v1/alerts",
    action: "alert.manage",
    summary: "Add an alert rule",
    body: contract.alertRuleRequest,
    answer: contract.alertRuleSchema,
    statuses: { 201: "The rule" },
  },
  async ({ desk, body, permissions }) => ({
    status: 201,
    body: await managing.addAlertRule(desk, body, permissions),
  }),
);

export const changeAlertRule = endpoint(
  {
    method: "PUT",
    path: "/v1/alerts/{id}",
    action: "alert.manage",
    summary: "Change an alert rule, or switch it off and on",
    params: ofRule,
    body: contract.alertRuleChangeRequest,
    answer: contract.alertRuleSchema,
    statuses: { 200: "The rule" },
  },
  async ({ desk, params, body: { revision, ...given }, permissions }) => ({
    status: 200,
    body: await managing.changeAnAlertRule(desk, given, { ...params, revision, permissions }),
  }),
);

export const removeAlertRule = endpoint(
  {
    method: "POST",
    path: "/v1/alerts/{id}/removal",
    action: "alert.manage",
    summary: "Remove an alert rule with its history; its open alert is over",
    params: ofRule,
    body: contract.alertRuleActRequest,
    answer: doneResponse,
    statuses: { 200: "The rule is removed" },
  },
  async ({ desk, params, body, permissions }) => {
    await managing.removeAnAlertRule(desk, { ...params, ...body, permissions });
    return { status: 200, body: { done: true as const } };
  },
);

export const testAlertRule = endpoint(
  {
    method: "POST",
    path: "/v1/alerts/{id}/test",
    action: "alert.manage",
    summary: "Send a test to the destinations that an alert of this rule would reach",
    params: ofRule,
    body: z.strictObject({}),
    answer: contract.alertTestResponse,
    statuses: { 202: "How many there are" },
  },
  async ({ desk, params, permissions }) => ({
    status: 202,
    body: await managing.testAlertRule(desk, { ...params, reason: "A test.", permissions }),
  }),
);

export const muteAlertRule = endpoint(
  {
    method: "POST",
    path: "/v1/alerts/{id}/mute",
    action: "alert.mute",
    summary: "Send nothing about an alert rule until a time; or no longer mute it",
    params: ofRule,
    body: contract.alertMuteRequest,
    answer: contract.alertRuleSchema,
    refusals: [422],
    statuses: { 200: "The rule" },
  },
  async ({ desk, params, body, permissions }) => ({
    status: 200,
    body: await managing.muteAnAlertRule(desk, { ...params, ...body, permissions }),
  }),
);

export const acknowledgeAlert = endpoint(
  {
    method: "POST",
    path: "/v1/alerts/{id}/acknowledgement",
    action: "alert.acknowledge",
    summary: "Look after an open alert: services acknowledge it, too",
    params: ofRule,
    body: contract.alertAcknowledgementRequest,
    answer: contract.alertRuleSchema,
    statuses: { 200: "The rule" },
  },
  async ({ desk, params, body, permissions }) => ({
    status: 200,
    body: await managing.acknowledgeAnAlert(desk, { ...params, ...body, permissions }),
  }),
);
