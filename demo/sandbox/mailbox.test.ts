import { createTransport } from "nodemailer";
import { describe, expect, it } from "vitest";
import { aSandbox, type TestSandbox } from "./fixture";

async function send(sandbox: TestSandbox, text = "Thank you.") {
  const transport = createTransport({ host: "127.0.0.1", port: sandbox.smtpPort() });
  return transport.sendMail({
    messageId: "<order-1@handrail.test>",
    from: "shop@example.com",
    to: "Ada <ada@example.com>",
    subject: "Grüße zu order-1",
    text,
  });
}

async function messagesOf(sandbox: TestSandbox) {
  return (await sandbox.get("/mail")).body.messages;
}

describe("the mailbox", () => {
  it("keeps what it is sent, until it is emptied", async () => {
    const sandbox = await aSandbox();
    await send(sandbox);
    expect(await messagesOf(sandbox)).toEqual([
      {
        id: expect.stringMatching(/^msg_/),
        messageId: "<order-1@handrail.test>",
        from: "shop@example.com",
        to: "ada@example.com",
        subject: "Grüße zu order-1",
        text: "Thank you.",
        receivedAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await sandbox.fetch("/mail", { method: "DELETE" })).status).toBe(204);
    expect(await messagesOf(sandbox)).toEqual([]);
  });

  it("refuses a message over ten megabytes and keeps none of it", async () => {
    const sandbox = await aSandbox();
    await expect(send(sandbox, `${"x".repeat(99)}\n`.repeat(120 * 1024))).rejects.toMatchObject({ responseCode: 552 });
    expect(await messagesOf(sandbox)).toEqual([]);
  });

  it("lets nobody in while it is down", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/mail/faults", { mode: "down", times: 1 });
    await expect(send(sandbox)).rejects.toThrow();
    expect(await messagesOf(sandbox)).toEqual([]);
    await send(sandbox);
    expect(await messagesOf(sandbox)).toHaveLength(1);
  });

  it("hangs up on those who were connected when it went down", async () => {
    const sandbox = await aSandbox();
    const pool = createTransport({ host: "127.0.0.1", port: sandbox.smtpPort(), pool: true, maxConnections: 1 });
    const message = { from: "a@example.com", to: "b@example.com", text: "hello" };
    await pool.sendMail(message);
    await sandbox.put("/mail/faults", { mode: "down" });
    await expect(pool.sendMail(message)).rejects.toThrow();
    expect(await messagesOf(sandbox)).toHaveLength(1);
    pool.close();
  });

  it("says 451 while it is flaky, and keeps nothing", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/mail/faults", { mode: "flaky", rate: 1 });
    await expect(send(sandbox)).rejects.toMatchObject({ responseCode: 451 });
    expect(await messagesOf(sandbox)).toEqual([]);
  });

  it("takes its time while it is slow", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/mail/faults", { mode: "slow", delayMs: 300 });
    const startedAt = performance.now();
    await send(sandbox);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(300);
    expect(await messagesOf(sandbox)).toHaveLength(1);
  });

  it("keeps the message and loses the answer", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/mail/faults", { mode: "lose-answer" });
    await expect(send(sandbox)).rejects.toThrow();
    expect(await messagesOf(sandbox)).toHaveLength(1);
  });
});
