import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { aSandbox, type TestSandbox } from "./fixture";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const BODY = JSON.stringify({ type: "problem.opened", data: { sentence: "order fails at charge" } });

const signed = (secret: string, content: string) =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
    .update(content)
    .digest("base64")}`;

async function send(
  sandbox: TestSandbox,
  given: { id?: string; secrets?: string[]; agoS?: number; body?: string } = {},
) {
  const { id = "d-1", secrets = [SECRET], agoS = 0, body = BODY } = given;
  const timestamp = String(Math.floor(Date.now() / 1_000) - agoS);
  const signature = secrets.map((secret) => signed(secret, `${id}.${timestamp}.${BODY}`)).join(" ");
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  return (await sandbox.fetch("/webhooks", { method: "POST", headers, body })).status;
}

async function aReceiver() {
  const sandbox = await aSandbox();
  expect(await sandbox.put("/webhooks/secret", { secret: SECRET })).toMatchObject({ status: 200 });
  return sandbox;
}

const messagesOf = async (sandbox: TestSandbox) => (await sandbox.get("/webhooks")).body.messages;

describe("the receiver of webhooks", () => {
  it("takes what is signed with its secret, and keeps it over a restart", async () => {
    const sandbox = await aReceiver();
    expect(await send(sandbox)).toBe(204);
    expect(await send(sandbox, { secrets: [`whsec_${"A".repeat(44)}`, SECRET] })).toBe(204);
    await sandbox.restart();
    expect(await send(sandbox, { id: "d-2" })).toBe(204);
    const messages = await messagesOf(sandbox);
    expect(messages.map(({ id }: { id: string }) => id)).toEqual(["d-1", "d-1", "d-2"]);
    expect(messages[0]).toMatchObject({ signature: "right", body: BODY });
  });

  it.each([
    ["another secret", { secrets: [`whsec_${"A".repeat(44)}`] }],
    ["no signature", { secrets: [] }],
    ["another body", { body: `${BODY} ` }],
    ["an old message", { agoS: 600 }],
  ])("refuses what has %s, and shows it as refused", async (_, given) => {
    const sandbox = await aReceiver();
    expect(await send(sandbox, given)).toBe(401);
    expect(await messagesOf(sandbox)).toMatchObject([{ signature: "wrong" }]);
  });

  it("verifies nothing before it has a secret, and never shows it", async () => {
    const sandbox = await aSandbox();
    expect(await send(sandbox)).toBe(401);
    expect((await sandbox.get("/webhooks")).body).toMatchObject({
      knowsSecret: false,
      address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/webhooks$/),
    });
    await sandbox.put("/webhooks/secret", { secret: SECRET });
    expect(JSON.stringify((await sandbox.get("/webhooks")).body)).not.toContain("whsec_");
    expect(await sandbox.put("/webhooks/secret", { secret: "guess" })).toMatchObject({ status: 400 });
  });

  it("is down on demand, and forgets the oldest", async () => {
    const sandbox = await aReceiver();
    await sandbox.put("/webhooks/faults", { mode: "down", times: 1 });
    expect(await send(sandbox)).toBe(503);
    expect(await messagesOf(sandbox)).toEqual([]);
    for (let n = 0; n <= 100; n++) await send(sandbox, { id: `d-${n}` });
    const messages = await messagesOf(sandbox);
    expect([messages.length, messages[0].id]).toEqual([100, "d-1"]);
  });
});
