import { afterEach, describe, expect, it } from "vitest";
import { NOTICE_KINDS } from "../../engine/notices/notice";
import { send } from "../../outbound/send";
import { muteAlertRule, removeAlertRule } from "../../store/alerts/alert-rules";
import { acknowledgeAlert } from "../../store/alerts/alerts";
import { insertDestination } from "../../store/notices/destinations";
import { newPlanId } from "../../store/run-id";
import { registerWorker } from "../../store/workers/workers";
import { anAlertDatabase } from "../../testing/alerts";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { aService, CHANNEL, type ServiceKind, TOKENS } from "../../testing/services";
import { handOverAll } from "../../worker/duties/notice-loop";
import { deliver } from "./deliver";

const there = anAlertDatabase();
const SERVICES = ["slack", "pagerduty", "opsgenie", "teams"] as const satisfies readonly ServiceKind[];
const HAS_KEYS = { slack: false, pagerduty: true, opsgenie: true, teams: false };
let service: Awaited<ReturnType<typeof aService>> | undefined;
afterEach(() => service?.close());

async function aDestination(kind: ServiceKind) {
  const here = await aService(kind);
  service = here;
  await insertDestination(there.db, newPlanId(), {
    ...{ kind, name: kind, url: here.url, addresses: null, channel: kind === "slack" ? CHANNEL : null },
    ...{ runbook: "https://wiki.example/{event}", secret: TOKENS[kind], events: NOTICE_KINDS, workflows: null },
    ...{ perMinute: 600, enabled: true, createdBy: "mia" },
  });
  const sendDue = sender((toSend, signal) =>
    send({ internal: [here.origin], mail: null, ...(here.isSilent() && { timeoutMs: 1_000 }) }, toSend, signal),
  );
  return { here, sendDue };
}

/** Everything that is due, sent once. */
const sender =
  (
    sends: (
      ...given: Parameters<typeof send> extends [infer _, ...infer Rest] ? Required<Rest> : never
    ) => ReturnType<typeof send>,
  ) =>
  async () => {
    await handOverAll(there.db, () => false);
    const desk = { db: there.db, auditKeys: TEST_AUDIT_KEYS, origin: "https://handrail.example", send: sends };
    const due = await there.rows<{ id: string }>(
      "select id from handrail.delivery where status = 'sending' order by created_at, id",
    );
    const ends = [];
    for (const { id } of due) ends.push(await deliver(desk, id, AbortSignal.timeout(60_000)).catch((error) => error));
    return ends;
  };

const OWN_RUNBOOK = "https://wiki.example/own";
const NO_WORKER = { kind: "live_workers", threshold: 1 } as const;
const comeUp = () => registerWorker(there.db, { name: "w", concurrency: 1, leaseMs: 600_000, workflows: [] });
const openAlert = async () =>
  (await there.rows<{ id: string }>("select id from handrail.alert where resolved_at is null"))[0]?.id as string;

describe.each(SERVICES)("%s", (kind) => {
  it("hears that a rule fires, that a person looks after it, and that it is over, under one key", async () => {
    const { here, sendDue } = await aDestination(kind);
    const { id: ruleId } = await there.aRule({ ...NO_WORKER, runbook: OWN_RUNBOOK });
    await there.tick();
    expect(await sendDue()).toEqual(["delivered"]);
    const id = await openAlert();
    await there.tick();
    expect(await sendDue()).toEqual([]);
    await acknowledgeAlert(there.db, { alertId: id, ruleId }, "mia");
    expect(await sendDue()).toEqual(["delivered"]);
    await comeUp();
    await there.tick();
    expect(await sendDue()).toEqual(["delivered"]);
    expect(await sendDue()).toEqual([]);
    expect(here.refused).toEqual([]);
    const bodies = here.bodies.join();
    expect(bodies).toContain("no worker is live");
    expect(bodies).toContain("https://handrail.example/alerts?rule=");
    // The rule's own page has precedence over that of the destination.
    expect(bodies).toContain(OWN_RUNBOOK);
    expect(bodies).not.toContain("wiki.example/alert.fired");
    if (HAS_KEYS[kind]) {
      expect(here.alerts).toEqual([{ key: `handrail/alert/${id}`, states: ["open", "acknowledged", "resolved"] }]);
      return;
    }
    // In Slack the first message changes with what happens.
    const first = kind === "slack" ? "Resolved" : "Needs attention";
    expect(here.posts.map(({ text }) => text.split(":")[0])).toEqual([first, "Acknowledged", "Resolved"]);
  });

  it.each([
    ["goes down", "reset", 1],
    ["answers 429", "busy", 1],
    ["loses its answer", "lost", 2],
    ["does not answer in time", "silent", 2],
  ] as const)("%s: no alert is lost, and none comes twice where it has a key", async (_, trouble, sent) => {
    const { here, sendDue } = await aDestination(kind);
    await there.aRule(NO_WORKER);
    await there.tick();
    here.has(trouble);
    const [failed] = await sendDue();
    expect(failed.delayMs).toBeGreaterThanOrEqual(trouble === "busy" ? 90_000 : 5_000);
    // It is over before anything arrived: the message still comes, and then its end.
    await comeUp();
    await there.tick();
    here.has("none");
    expect(await sendDue()).toEqual(["delivered"]);
    expect(await sendDue()).toEqual(["delivered"]);
    expect(here.refused).toEqual([]);
    if (HAS_KEYS[kind]) expect(here.alerts).toMatchObject([{ states: ["open", "resolved"] }]);
    else expect(here.posts).toHaveLength(sent + 1);
  });
});

describe("severity", () => {
  it.each([
    ["critical", "critical", "P1"],
    ["warning", "warning", "P3"],
  ] as const)("a %s rule pages as that", async (severity, inPagerDuty, inOpsgenie) => {
    for (const [kind, word] of [
      ["pagerduty", `"severity":"${inPagerDuty}"`],
      ["opsgenie", `"priority":"${inOpsgenie}"`],
    ] as const) {
      const { here, sendDue } = await aDestination(kind);
      await there.aRule({ ...NO_WORKER, name: kind, severity });
      await there.tick();
      await sendDue();
      expect(here.bodies.join()).toContain(word);
      await there.rows("delete from handrail.destination");
      await here.close();
    }
  });
});

it("an alert of a rule that is removed is resolved in services", async () => {
  const { here, sendDue } = await aDestination("pagerduty");
  const { id } = await there.aRule(NO_WORKER);
  await there.tick();
  await sendDue();
  await removeAlertRule(there.db, id);
  await sendDue();
  expect(here.alerts).toMatchObject([{ states: ["open", "resolved"] }]);
});

describe("webhooks and mail", () => {
  const bodies: { type: string; data: { sentence: string; alertId: string; severity: string } }[] = [];
  const sendDue = sender(async ({ body }) => {
    bodies.push(JSON.parse(body));
    return { code: 204, error: null, retryAfterMs: 0, final: false, gone: false };
  });
  const aWebhook = async () => {
    bodies.length = 0;
    await insertDestination(there.db, newPlanId(), {
      ...{
        kind: "webhook",
        name: "hook",
        url: "https://example.com/hook",
        addresses: null,
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      },
      ...{ events: NOTICE_KINDS, workflows: null, perMinute: 600, enabled: true, createdBy: "mia" },
    });
  };

  it("get a message each time, with the alert's id", async () => {
    await aWebhook();
    const { id: ruleId } = await there.aRule({ ...NO_WORKER, severity: "warning" });
    await there.tick();
    await sendDue();
    const alertId = await openAlert();
    await acknowledgeAlert(there.db, { alertId, ruleId }, "mia");
    await sendDue();
    await comeUp();
    await there.tick();
    await sendDue();
    expect(bodies.map(({ type, data }) => [type, data.sentence.replace(/\d+ second.*/, "…")])).toEqual([
      ["alert.fired", "a-rule: no worker is live (limit 1)"],
      ["alert.acknowledged", "a-rule: acknowledged by mia"],
      ["alert.resolved", "a-rule: resolved after …"],
    ]);
    expect(bodies.every(({ data }) => data.alertId === alertId && data.severity === "warning")).toBe(true);
  });

  it("get none of an alert that was over before a worker could hand it over", async () => {
    await aWebhook();
    await there.aRule(NO_WORKER);
    await there.tick();
    await comeUp();
    await there.tick();
    expect(await there.notices()).toEqual(["alert.fired", "alert.resolved"]);
    await sendDue();
    expect(bodies).toEqual([]);
    expect(await there.notices()).toEqual([]);
  });

  it("get none while the rule is muted", async () => {
    await aWebhook();
    const { id } = await there.aRule(NO_WORKER);
    await muteAlertRule(there.db, id, new Date(Date.now() + 60_000).toISOString(), "mia");
    await there.tick();
    await sendDue();
    expect(bodies).toEqual([]);
  });
});
