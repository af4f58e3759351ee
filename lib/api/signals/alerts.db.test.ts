import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { defineAlerts } from "../../engine/alerts/alert-rule";
import { syncAlertRules } from "../../store/alerts/alert-rules";
import { poolDb } from "../../store/db";
import { insertDestination } from "../../store/notices/destinations";
import { newPlanId } from "../../store/run-id";
import type { Asking } from "../../testing/api/api";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import { judgeAlerts } from "../../worker/duties/judge-alerts";
import type { Endpoint } from "../endpoint";
import * as endpoints from "../endpoints/alerts";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let fromTheStart: { rules: { name: string; source: string; enabled: boolean }[] };
let [admin, operator, viewer, limited] = ["", "", "", ""];
beforeAll(async () => {
  api = await anApiWithSignIn();
  admin = await api.mint(["admin"]);
  operator = await api.mint(["operator"]);
  viewer = await api.mint(["viewer"]);
  limited = await api.mint(["operator"], { workflows: ["mine"] });
  fromTheStart = (await api.as(viewer, "GET", "/v1/alerts")).body;
});
afterAll(() => api.close());
beforeEach(() => sql("delete from handrail.alert_rule"));

const sql = async (text: string, values: unknown[] = []) => (await api.database.pool.query(text, values)).rows;
const reason = "a test";

async function ask(endpoint: Endpoint, path: string, asking: Asking = {}, token = admin) {
  const answer = await api.as(token, endpoint.method, path, asking);
  if (answer.status < 400) {
    expect(Object.keys(endpoint.statuses)).toContain(String(answer.status));
    expect((endpoint.answer as z.ZodType).safeParse(answer.body).error?.issues ?? []).toEqual([]);
  }
  return answer;
}

const given = (changed: object = {}) => ({
  ...{ name: "orders-failing", kind: "failure_ratio", workflows: null, together: false },
  ...{ threshold: 0.2, resolveThreshold: 0.1, windowMs: 900_000, minCount: 10, forMs: 60_000, resolveForMs: 60_000 },
  ...{ quietMs: 900_000, severity: "critical", runbook: null, muteWindows: [], enabled: true, reason },
  ...changed,
});

/** Nobody works in this database: it fires at once. */
const noWorker = (changed: object = {}) =>
  given({
    ...{
      name: "no-worker",
      kind: "live_workers",
      threshold: 1,
      resolveThreshold: 1,
      windowMs: null,
      minCount: null,
      forMs: 0,
    },
    ...changed,
  });

async function added(body: object = given()) {
  const { status, body: rule } = await ask(endpoints.addAlertRule, "/v1/alerts", { body });
  expect(status).toBe(201);
  return rule as { id: string; revision: number; alerts: { id: string }[] };
}

async function fired(body: object = noWorker()) {
  const { id } = await added(body);
  await sql("update handrail.alert_turn set judged_at = '-infinity'");
  await judgeAlerts(poolDb(api.database.pool));
  const { body: rule } = await ask(endpoints.getAlertRule, `/v1/alerts/${id}`);
  expect(rule).toMatchObject({ state: "firing", value: 0 });
  return rule as { id: string; revision: number; alerts: [{ id: string }] };
}

const lastAct = async () =>
  (await sql(`select act, result, actor, "after" from handrail.audit order by seq desc limit 1`))[0];

describe("alert rules", () => {
  it("are there from the start, and read by everybody who sees every workflow", () => {
    const body = fromTheStart;
    expect(
      body.rules.map(({ name, source, enabled }: { name: string; source: string; enabled: boolean }) => [
        name,
        source,
        enabled,
      ]),
    ).toEqual(
      [
        "backlog-old",
        "blob-store",
        "compensations-open",
        "failing",
        "no-worker",
        "schedule-late",
        "unknown-outcomes",
      ].map((name) => [name, "default", true]),
    );
  });

  it("are made, changed and removed by an admin alone, each with its row in the audit log", async () => {
    const { id, revision } = await added();
    expect(await lastAct()).toMatchObject({ act: "add_alert_rule", result: "done" });
    for (const token of [operator, viewer]) {
      expect((await ask(endpoints.addAlertRule, "/v1/alerts", { body: given({ name: "b" }) }, token)).status).toBe(403);
      const change = { ...given(), revision };
      expect((await ask(endpoints.changeAlertRule, `/v1/alerts/${id}`, { body: change }, token)).status).toBe(403);
    }
    const changed = await ask(endpoints.changeAlertRule, `/v1/alerts/${id}`, {
      body: { ...given({ threshold: 0.5 }), revision },
    });
    expect(changed.body).toMatchObject({ threshold: 0.5, revision: revision + 1 });
    const stale = await ask(endpoints.changeAlertRule, `/v1/alerts/${id}`, { body: { ...given(), revision } });
    expect(stale).toMatchObject({ status: 409, body: { error: { code: "changed" } } });
    const body = { revision: revision + 1, reason };
    expect((await ask(endpoints.removeAlertRule, `/v1/alerts/${id}/removal`, { body })).status).toBe(200);
    expect(await lastAct()).toMatchObject({ act: "remove_alert_rule", result: "done" });
    expect((await ask(endpoints.getAlertRule, `/v1/alerts/${id}`)).status).toBe(404);
  });

  it.each([
    ["a share above 1", { threshold: 20 }],
    ["a name of another one", { name: "taken" }],
    ["a kind that is none", { kind: "weather" }],
    ["a window that is not offered", { windowMs: 1 }],
    ["a runbook that is a script", { runbook: "javascript:alert(1)" }],
    ["a time zone that is none", { muteWindows: [{ days: [1], from: "01:00", to: "02:00", timeZone: "Mars" }] }],
  ])("are refused with %s, and nothing is written", async (_, wrong) => {
    await added(given({ name: "taken" }));
    const { status } = await ask(endpoints.addAlertRule, "/v1/alerts", { body: given(wrong) });
    expect([400, 409, 422]).toContain(status);
    expect(await sql("select name from handrail.alert_rule")).toEqual([{ name: "taken" }]);
  });

  it("are shown to a caller who sees some workflows where they concern only these", async () => {
    await added(given({ name: "all" }));
    const { id: others } = await added(given({ name: "theirs", workflows: ["mine", "theirs"] }));
    const { id } = await added(given({ name: "mine", workflows: ["mine"] }));
    const { body } = await ask(endpoints.listAlertRules, "/v1/alerts", {}, limited);
    expect(body.rules.map(({ name }: { name: string }) => name)).toEqual(["mine"]);
    expect((await ask(endpoints.getAlertRule, `/v1/alerts/${others}`, {}, limited)).status).toBe(404);
    const mute = { body: { until: new Date(Date.now() + 60_000).toISOString(), reason } };
    expect((await ask(endpoints.muteAlertRule, `/v1/alerts/${others}/mute`, mute, limited)).status).toBe(404);
    expect((await ask(endpoints.muteAlertRule, `/v1/alerts/${id}/mute`, mute, limited)).status).toBe(200);
  });

  it("of code are muted and acknowledged, and otherwise left to the code", async () => {
    const rules = defineAlerts([{ name: "of-code", kind: "live_workers", threshold: 1, forMs: 0 }]);
    await syncAlertRules(poolDb(api.database.pool), "", rules);
    const { body: list } = await ask(endpoints.listAlertRules, "/v1/alerts");
    const [{ id, revision }] = list.rules;
    const change = { body: { ...noWorker({ name: "of-code", threshold: 5, resolveThreshold: 5 }), revision } };
    expect(await ask(endpoints.changeAlertRule, `/v1/alerts/${id}`, change)).toMatchObject({
      status: 409,
      body: { error: { code: "not_allowed", message: expect.stringContaining("defined in code") } },
    });
    const removal = { body: { revision, reason } };
    expect((await ask(endpoints.removeAlertRule, `/v1/alerts/${id}/removal`, removal)).status).toBe(409);
    const past = { body: { until: "2020-01-01T00:00:00Z", reason } };
    expect((await ask(endpoints.muteAlertRule, `/v1/alerts/${id}/mute`, past)).status).toBe(422);
    const mute = { body: { until: new Date(Date.now() + 60_000).toISOString(), reason } };
    const muted = await ask(endpoints.muteAlertRule, `/v1/alerts/${id}/mute`, mute, operator);
    expect(muted.body).toMatchObject({ muted: true, mutedBy: expect.any(String) });
    const unmuted = await ask(
      endpoints.muteAlertRule,
      `/v1/alerts/${id}/mute`,
      { body: { until: null, reason } },
      operator,
    );
    expect(unmuted.body).toMatchObject({ muted: false, mutedBy: null });
  });
});

describe("an alert", () => {
  it("is in the Inbox, is acknowledged once, and names who looks after it", async () => {
    const { id, alerts } = await fired();
    const inbox = async () => (await api.as(operator, "GET", "/v1/overview")).body.alerts;
    expect(await inbox()).toMatchObject([{ id, name: "no-worker", value: 0, acknowledgedBy: null }]);
    const path = `/v1/alerts/${id}/acknowledgement`;
    const body = { alertId: alerts[0].id };
    expect((await ask(endpoints.acknowledgeAlert, path, { body }, viewer)).status).toBe(403);
    expect((await ask(endpoints.acknowledgeAlert, path, { body: { alertId: newPlanId() } }, operator)).status).toBe(
      409,
    );
    const taken = await ask(endpoints.acknowledgeAlert, path, { body }, operator);
    expect(taken.body.alerts).toMatchObject([{ acknowledgedBy: expect.any(String) }]);
    expect((await ask(endpoints.acknowledgeAlert, path, { body })).status).toBe(409);
    expect(await inbox()).toMatchObject([{ acknowledgedBy: taken.body.alerts[0].acknowledgedBy }]);
    const kinds = (await sql("select kind from handrail.notice where alert_id is not null order by seq")).map(
      ({ kind }) => kind,
    );
    expect(kinds.slice(-2)).toEqual(["alert.fired", "alert.acknowledged"]);
  });

  it("is tried out at the destinations that would hear of it", async () => {
    const { id } = await added();
    const path = `/v1/alerts/${id}/test`;
    expect(await ask(endpoints.testAlertRule, path, { body: {} })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining("No destination is notified") } },
    });
    const destination = {
      url: null,
      addresses: ["a@example.com"],
      secret: null,
      workflows: null,
      perMinute: 10,
      enabled: true,
    };
    const add = (name: string, events: string[]) =>
      insertDestination(poolDb(api.database.pool), newPlanId(), {
        kind: "email",
        name,
        events,
        createdBy: "mia",
        ...destination,
      });
    await add("hears", ["alert.fired"]);
    await add("does not", ["problem.opened"]);
    expect(await ask(endpoints.testAlertRule, path, { body: {} })).toMatchObject({
      status: 202,
      body: { destinations: 1 },
    });
    const [delivery] = await sql("select events from handrail.delivery");
    expect(delivery?.events).toMatchObject([{ type: "test", sentence: expect.stringContaining("orders-failing") }]);
  });

  it("is previewed by its numbers: now, and in the days that are counted", async () => {
    const buckets = [
      [40, "failed"],
      [5, "failed"],
      [40, "completed"],
    ] as const;
    for (const [place, [runs, status]] of buckets.entries())
      await sql(
        `insert into handrail.run_rollup (minutes, at, workflow, version, ${status})
        values (15, date_bin('15 minutes', clock_timestamp(), 'epoch') - $1 * interval '1 hour', 'orders', 1, $2)`,
        [12 - place, runs],
      );
    const numbers =
      "kind=failure_ratio&threshold=0.2&resolveThreshold=0.2&windowMs=900000&minCount=10&forMs=0&resolveForMs=0";
    const { body } = await ask(endpoints.previewAlert, `/v1/alert-preview?${numbers}`);
    expect(body).toMatchObject({ value: null, history: { firings: 1, highest: 1 } });
    expect((await ask(endpoints.previewAlert, `/v1/alert-preview?${numbers.replace("0.2", "2")}`)).status).toBe(422);
    const gauge = "kind=live_workers&threshold=1&resolveThreshold=1&forMs=0&resolveForMs=0";
    expect((await ask(endpoints.previewAlert, `/v1/alert-preview?${gauge}`)).body).toEqual({
      value: 0,
      subject: null,
      history: null,
    });
    expect((await ask(endpoints.previewAlert, `/v1/alert-preview?${gauge}`, {}, operator)).status).toBe(403);
  });
});
