import { expect, it } from "vitest";
import { aSandbox } from "./fixture";
import { CHANNEL, TOKENS } from "./services";

const event = (event_action: string, more: object = {}) => ({
  ...{ routing_key: TOKENS.pagerduty, dedup_key: "handrail/problem/1", event_action },
  ...more,
});
const payload = { summary: "orders fail at charge", source: "localhost:3000", severity: "critical" };

it("an alert is opened once, acknowledged and resolved under its key, and all of it outlasts a restart", async () => {
  const sandbox = await aSandbox();
  const send = async (body: object) => (await sandbox.post("/on-call/pagerduty/v2/enqueue", body)).status;
  for (const sent of [event("trigger", { payload }), event("trigger", { payload }), event("acknowledge")])
    expect(await send(sent)).toBe(202);
  await sandbox.restart();
  expect(await send(event("resolve"))).toBe(202);
  expect(await send(event("trigger", { payload: { ...payload, colour: "red" } }))).toBe(400);
  expect((await sandbox.get("/on-call")).body).toMatchObject({
    alerts: [{ key: "handrail/problem/1", states: ["open", "acknowledged", "resolved"], summary: payload.summary }],
    refused: [{ service: "pagerduty", because: expect.stringContaining("colour") }],
  });
});

it("a message is posted, changed and answered in its thread, with the token alone, unless the receivers are down", async () => {
  const sandbox = await aSandbox();
  const blocks = [{ type: "section", text: { type: "mrkdwn", text: "*Open*" } }];
  const post = (method: string, body: object, authorization = `Bearer ${TOKENS.slack}`) =>
    sandbox.fetch(`/on-call/slack/${method}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ channel: CHANNEL, blocks, ...body }),
    });
  const { ts } = (await (await post("chat.postMessage", { text: "Open" })).json()) as { ts: string };
  await post("chat.postMessage", { text: "Resolved", thread_ts: ts });
  await post("chat.update", { text: "Resolved", ts });
  expect(await (await post("chat.postMessage", { text: "x" }, "Bearer other")).json()).toMatchObject({
    error: "invalid_auth",
  });
  expect((await sandbox.get("/on-call")).body.posts).toEqual([
    { ts, thread: null, text: "Resolved" },
    { ts: expect.any(String), thread: ts, text: "Resolved" },
  ]);
  await sandbox.put("/webhooks/faults", { mode: "down" });
  expect((await post("chat.postMessage", { text: "Open" })).status).toBe(503);
});
