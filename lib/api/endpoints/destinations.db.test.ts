import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { randomSecret } from "../../engine/digest";
import { type PayloadKeys, parsePayloadKeys } from "../../engine/privacy/payload-keys";
import { poolDb } from "../../store/db";
import { lockDelivery } from "../../store/notices/deliveries";
import { setPayloadKeys } from "../../store/payloads";
import { countByKey, rotate } from "../../store/privacy/payload-rotation";
import type { Asking } from "../../testing/api/api";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import type { Endpoint } from "../endpoint";
import * as endpoints from "./destinations";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let admin = "";
let operator = "";
beforeAll(async () => {
  api = await anApiWithSignIn();
  admin = await api.mint(["admin"]);
  operator = await api.mint(["operator"]);
});
afterAll(() => api.close());

const sql = async (text: string, values: unknown[] = []) => (await api.database.pool.query(text, values)).rows;
const reason = "a test";
let names = 0;

async function ask(endpoint: Endpoint, path: string, asking: Asking = {}, token = admin) {
  const answer = await api.as(token, endpoint.method, path, asking);
  if (answer.status < 400)
    expect((endpoint.answer as z.ZodType).safeParse(answer.body).error?.issues ?? []).toEqual([]);
  return answer;
}

const aWebhook = (given: object = {}) => ({
  kind: "webhook",
  name: `hook ${++names}`,
  url: "https://hooks.example.com/secret-path",
  events: ["problem.opened"],
  reason,
  ...given,
});

async function added(given: object = {}) {
  const { status, body } = await ask(endpoints.addDestination, "/v1/destinations", { body: aWebhook(given) });
  expect(status).toBe(201);
  return body as { destination: { id: string; revision: number; name: string }; secret: string };
}

const lastAct = async () => (await sql(`select act, result, "after" from handrail.audit order by seq desc limit 1`))[0];

describe("destinations", () => {
  it("are added by an admin alone, show their secret once, and are listed without it", async () => {
    const key = { "idempotency-key": "add-one" };
    const body = aWebhook();
    const first = await ask(endpoints.addDestination, "/v1/destinations", { body, headers: key });
    expect(first.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const again = await ask(endpoints.addDestination, "/v1/destinations", { body, headers: key });
    expect(again.body).toEqual({ ...first.body, secret: null });
    const { body: list } = await ask(endpoints.listDestinations, "/v1/destinations");
    expect(list.destinations).toContainEqual(first.body.destination);
    expect(JSON.stringify(list)).not.toContain("whsec_");
    expect((await ask(endpoints.listDestinations, "/v1/destinations", {}, operator)).status).toBe(403);
    const audited = JSON.stringify(await sql(`select "before", "after" from handrail.audit`));
    expect(audited).toContain("hooks.example.com");
    expect(audited).not.toMatch(/secret-path|whsec_/);
  });

  it.each([
    ["http", { url: "http://hooks.example.com/" }],
    ["an address of one's own network", { url: "https://10.0.0.7/" }],
    ["no URL", { url: null }],
    ["a URL and addresses", { addresses: ["a@example.com"] }],
    ["no event", { events: [] }],
    ["an event that is none", { events: ["problem.closed"] }],
    ["a line break in its name", { name: "a\r\nBcc: everybody@example.com" }],
    ["a runbook that is a script", { runbook: "javascript:alert(1)" }],
    ["a line break in an address", { kind: "email", url: null, addresses: ["a@example.com\r\nBcc: b@example.com"] }],
  ])("are refused with %s", async (_, given) => {
    const { status, body } = await ask(endpoints.addDestination, "/v1/destinations", { body: aWebhook(given) });
    expect(status).toBe(422);
    expect(body.error.code).toBe("invalid_input");
  });

  const token = "0123456789abcdef0123456789abcdef";
  const slack = { kind: "slack", url: null, channel: "C0123ABC", token: "xoxb-1234567890-abcdefghij" };
  it.each([
    ["a Slack without a channel", { ...slack, channel: null }, "channel"],
    ["a Slack with a token that is none", { ...slack, token: "abc" }, "token"],
    ["a channel of PagerDuty", { kind: "pagerduty", url: null, channel: "C1", token }, "channel"],
    ["a PagerDuty with a short key", { kind: "pagerduty", url: null, token: "short" }, "token"],
    ["a PagerDuty in one's own network", { kind: "pagerduty", url: "https://10.0.0.7/", token }, "url"],
    ["an Opsgenie without a key", { kind: "opsgenie", url: null }, "token"],
    ["a Teams without an address", { kind: "teams", url: null }, "url"],
    ["a token of a webhook", { token }, "token"],
  ])("are refused with %s, and with a sentence", async (_, given, field) => {
    const { status, body } = await ask(endpoints.addDestination, "/v1/destinations", { body: aWebhook(given) });
    expect(status).toBe(422);
    expect(body.error.details.issues[0].path).toEqual([field]);
  });

  it("of a service send a token only where it was given for", async () => {
    const { destination } = await added({ kind: "pagerduty", url: null, token });
    const change = (given: object) =>
      ask(endpoints.changeDestination, `/v1/destinations/${destination.id}`, {
        body: { ...aWebhook({ url: null, ...given }), kind: undefined, enabled: true, revision: destination.revision },
      });
    const elsewhere = { url: "https://collector.example.com" };
    const refused = await change(elsewhere);
    expect(refused).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: ["token"] }] } } } });
    expect((await change({ ...elsewhere, token })).status).toBe(200);
  });

  it("of a service keep its token from everybody, sealed like a secret, until another is given", async () => {
    const { destination, secret } = await added({ kind: "pagerduty", url: null, token });
    expect(destination).toMatchObject({ url: "https://events.pagerduty.com/", channel: null });
    expect(secret).toBeNull();
    const kept = async () =>
      (await sql("select secret from handrail.destination where id = $1", [destination.id]))[0]?.secret;
    const path = `/v1/destinations/${destination.id}`;
    const change = (given: object) =>
      ask(endpoints.changeDestination, path, {
        body: { name: destination.name, events: ["problem.opened"], enabled: true, reason, ...given },
      });
    const { body: first } = await change({ revision: destination.revision });
    expect(await kept()).toBe(token);
    const { body: second } = await change({ revision: first.revision, token: token.toUpperCase() });
    expect(await kept()).toBe(token.toUpperCase());
    const body = { revision: second.revision, reason };
    expect((await ask(endpoints.rotateDestinationSecret, `${path}/secret`, { body })).status).toBe(409);
    const { body: list } = await ask(endpoints.listDestinations, "/v1/destinations");
    const told = JSON.stringify([list, await sql(`select "before", "after" from handrail.audit`)]);
    expect(told.toLowerCase()).not.toContain(token);
    expect(JSON.stringify(await sql("select * from handrail.request"))).not.toContain(token);
  });

  it("of e-mail are refused where no mail is sent", async () => {
    const body = aWebhook({ kind: "email", url: null, addresses: ["oncall@example.com"] });
    const answer = await ask(endpoints.addDestination, "/v1/destinations", { body });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: "not_allowed" } } });
    expect(answer.body.error.message).toContain("HANDRAIL_SMTP_URL");
  });

  it("are changed from the revision that was seen, and not to a name that is taken", async () => {
    const { destination } = await added();
    const other = await added();
    const path = `/v1/destinations/${destination.id}`;
    const to = { name: "on call", url: "https://other.example.com/", events: ["approval.waiting"], perMinute: 3 };
    const change = (given: object) =>
      ask(endpoints.changeDestination, path, {
        body: { ...to, enabled: true, revision: destination.revision, reason, ...given },
      });
    expect((await change({ name: other.destination.name })).body.error.code).toBe("not_allowed");
    expect((await change({})).body).toMatchObject({
      name: "on call",
      perMinute: 3,
      revision: destination.revision + 1,
    });
    expect((await change({})).body.error.code).toBe("changed");
    expect(await lastAct()).toMatchObject({ act: "change_destination", result: "denied" });
    expect((await change({ url: "https://127.0.0.1/", revision: destination.revision + 1 })).status).toBe(422);
  });

  it("that were switched off need attention, until a person switches them on", async () => {
    const { destination } = await added();
    const { id, name, revision } = destination;
    const because = "Nothing could be delivered for 3 days.";
    await sql("update handrail.destination set enabled = false, disabled_because = $2 where id = $1", [id, because]);
    const needing = async () => (await api.as(admin, "GET", "/v1/overview")).body.switchedOffDestinations;
    expect(await needing()).toEqual([{ id, name, because, failingSince: null }]);
    const stays = { name, url: "https://hooks.example.com/", events: ["problem.opened"], enabled: false };
    const body = { ...stays, perMinute: 3, revision, reason };
    expect(
      (await ask(endpoints.changeDestination, `/v1/destinations/${id}`, { body })).body.disabledBecause,
    ).toBeNull();
    expect(await needing()).toEqual([]);
  });

  it("get a new secret, beside which the previous one is valid for a day", async () => {
    const { destination, secret } = await added();
    const body = { revision: destination.revision, reason };
    const rotated = await ask(endpoints.rotateDestinationSecret, `/v1/destinations/${destination.id}/secret`, { body });
    expect(rotated.body.secret).not.toBe(secret);
    expect(Date.parse(rotated.body.destination.previousSecretUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const test = await ask(endpoints.testDestination, `/v1/destinations/${destination.id}/test`, { body: {} });
    const delivery = await poolDb(api.database.pool).transaction((tx) => lockDelivery(tx, test.body.id));
    expect(delivery?.address.secrets).toEqual([rotated.body.secret, secret]);
  });

  it("keep their secrets sealed where there are payload keys, and in rotation", async () => {
    const [one, two] = ["one", "two"].map((id) => `${id}:${randomSecret(32).toString("base64")}`);
    const keys = (text: string) => parsePayloadKeys(text) as PayloadKeys;
    setPayloadKeys(keys(one as string));
    try {
      const { destination, secret } = await added();
      const kept = async () =>
        (await sql("select secret from handrail.destination where id = $1", [destination.id]))[0];
      expect((await kept()).secret).toContain('"key":"one"');
      const both = keys(`${two},${one}`);
      setPayloadKeys(both);
      const db = poolDb(api.database.pool);
      await rotate(db, both);
      expect((await kept()).secret).toContain('"key":"two"');
      expect((await countByKey(db)).get("one") ?? 0).toBe(0);
      const test = await ask(endpoints.testDestination, `/v1/destinations/${destination.id}/test`, { body: {} });
      const delivery = await db.transaction((tx) => lockDelivery(tx, test.body.id));
      expect(delivery?.address.secrets).toEqual([secret]);
    } finally {
      setPayloadKeys(null);
    }
  });

  it("are tested, delivered to again once it has ended, and removed with their history", async () => {
    const { destination } = await added();
    const path = `/v1/destinations/${destination.id}`;
    const test = await ask(endpoints.testDestination, `${path}/test`, { body: {} });
    expect(test).toMatchObject({ status: 202, body: { status: "sending", attempts: 0, events: [{ type: "test" }] } });
    const again = () => ask(endpoints.redeliver, `${path}/deliveries/${test.body.id}/redelivery`, { body: { reason } });
    expect((await again()).body.error.code).toBe("not_allowed");
    await sql("update handrail.delivery set status = 'failed', error = 'e', finished_at = now() where id = $1", [
      test.body.id,
    ]);
    const second = await again();
    expect(second).toMatchObject({ status: 202, body: { id: test.body.id, status: "sending" } });
    expect(second.body.runId).not.toBe(test.body.runId);
    const { body: page } = await ask(endpoints.listDeliveries, `${path}/deliveries?limit=1`);
    expect(page.deliveries.map(({ id }: { id: string }) => id)).toEqual([test.body.id]);
    const body = { revision: destination.revision, reason };
    expect((await ask(endpoints.removeDestination, `${path}/removal`, { body })).status).toBe(200);
    expect((await ask(endpoints.removeDestination, `${path}/removal`, { body })).status).toBe(404);
    expect((await again()).status).toBe(404);
    expect((await ask(endpoints.listDeliveries, `${path}/deliveries`)).body.deliveries).toEqual([]);
  });

  it("that are switched off are sent nothing", async () => {
    const { destination } = await added();
    await sql("update handrail.destination set enabled = false where id = $1", [destination.id]);
    const answer = await ask(endpoints.testDestination, `/v1/destinations/${destination.id}/test`, { body: {} });
    expect(answer.body.error.code).toBe("not_allowed");
  });

  it("a page after a page", async () => {
    const { destination } = await added();
    const path = `/v1/destinations/${destination.id}`;
    for (let n = 0; n < 3; n++) await ask(endpoints.testDestination, `${path}/test`, { body: {} });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await ask(
        endpoints.listDeliveries,
        `${path}/deliveries?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...body.deliveries.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }
    expect(new Set(seen).size).toBe(3);
    expect(seen).toHaveLength(3);
  });
});
