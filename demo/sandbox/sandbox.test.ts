import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { environmentWith } from "../../lib/env";
import { aSandbox, type TestSandbox } from "./fixture";
import { startSandbox } from "./server";

const order = { orderId: "order-1", amountCents: 4_200 };

describe("faults", () => {
  it("are shown and set, with the usual numbers filled in", async () => {
    const sandbox = await aSandbox();
    expect(await sandbox.get("/health")).toEqual({ status: 200, body: { status: "ok" } });
    expect((await sandbox.put("/blobs/faults", { mode: "slow" })).body).toEqual({ mode: "slow", delayMs: 3_000 });
    expect((await sandbox.put("/mail/faults", { mode: "flaky" })).body).toEqual({ mode: "flaky", rate: 0.5 });
    expect((await sandbox.put("/users/faults", { mode: "lose-answer" })).body).toEqual({
      mode: "lose-answer",
      rate: 1,
    });
    expect((await sandbox.get("/faults")).body).toEqual({
      payments: { mode: "none" },
      mail: { mode: "flaky", rate: 0.5 },
      blobs: { mode: "slow", delayMs: 3_000 },
      users: { mode: "lose-answer", rate: 1 },
      webhooks: { mode: "none" },
    });
  });

  it.each([
    ["/payments/faults", { mode: "odd" }],
    ["/payments/faults", { mode: "flaky", rate: 2 }],
    ["/payments/faults", { mode: "down", only: "everything" }],
    ["/mail/faults", { mode: "down", only: "refunds" }],
  ])("refuse at %s %j", async (path, body) => {
    const sandbox = await aSandbox();
    expect(await sandbox.put(path, body)).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } });
  });

  it("answer an unknown route like any other refusal", async () => {
    const sandbox = await aSandbox();
    expect(await sandbox.get("/payments/nowhere")).toMatchObject({
      status: 404,
      body: { error: { code: "not_found" } },
    });
  });
});

describe("a restart", () => {
  const everything = async (sandbox: TestSandbox) => ({
    ledger: (await sandbox.get("/payments/ledger")).body,
    faults: (await sandbox.get("/faults")).body,
  });

  it("changes nothing, faults and their counts included", async () => {
    const sandbox = await aSandbox();
    const { body: charge } = await sandbox.post("/payments/charges", order, "key-1");
    await sandbox.post("/payments/charges", order, "key-1");
    await sandbox.post("/payments/refunds", { chargeId: charge.id }, "refund-1");
    await sandbox.put("/payments/faults", { mode: "flaky", rate: 1, times: 3 });
    await sandbox.post("/payments/charges", order, "key-2");
    const before = await everything(sandbox);
    expect(before.faults.payments).toEqual({ mode: "flaky", rate: 1, times: 2 });

    await sandbox.restart();
    expect(await everything(sandbox)).toEqual(before);
  });

  it("forgets the line that a crash tore, and goes on writing after it", async () => {
    const sandbox = await aSandbox();
    await sandbox.post("/payments/charges", { ...order, orderId: "Bücher-1" }, "key-1");
    await sandbox.restartTorn("payments.ndjson", '{"type":"charge.created","charge":{"id":"ch_t');
    await sandbox.post("/payments/charges", order, "key-2");
    await sandbox.restart();
    const { charges } = (await sandbox.get("/payments/ledger")).body;
    expect(charges.map((charge: { idempotencyKey: string }) => charge.idempotencyKey)).toEqual(["key-1", "key-2"]);
  });

  it("refuses a journal that is damaged elsewhere", async () => {
    const directory = await mkdtemp(join(tmpdir(), "handrail-sandbox-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    await writeFile(join(directory, "payments.ndjson"), "not json\n{}\n");
    await expect(startSandbox({ port: 0, smtpPort: 0, directory })).rejects.toThrow("payments.ndjson:1 is not JSON");
  });

  it("is not held up by a slow answer", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/payments/faults", { mode: "slow", delayMs: 60_000, times: 1 });
    const slow = sandbox.post("/payments/charges", order, "key-1").catch(() => "broken off");
    await expect.poll(async () => (await sandbox.get("/payments/faults")).body).toEqual({ mode: "none" });
    await sandbox.restart();
    await slow;
    expect((await sandbox.get("/payments/ledger")).body.charges).toEqual([]);
  });
});

describe("the process", () => {
  it("gets killed, comes back with what it had answered, and leaves with its parent", async () => {
    const directory = await mkdtemp(join(tmpdir(), "handrail-sandbox-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const [port, smtpPort] = [await aFreePort(), await aFreePort()];
    const ledger = `http://127.0.0.1:${port}/payments/ledger`;

    const first = await startProcess({ port, smtpPort, directory });
    await fetch(`http://127.0.0.1:${port}/payments/charges`, {
      method: "POST",
      headers: { "Idempotency-Key": "key-1" },
      body: JSON.stringify(order),
    });
    expect(await exitOf(first, () => first.kill("SIGKILL"))).toEqual([null, "SIGKILL"]);

    const second = await startProcess({ port, smtpPort, directory });
    expect(await (await fetch(ledger)).json()).toMatchObject({ charges: [{ idempotencyKey: "key-1", requests: 1 }] });
    expect(await exitOf(second, () => second.disconnect())).toEqual([0, null]);

    const third = await startProcess({ port, smtpPort, directory });
    expect(await exitOf(third, () => third.kill("SIGTERM"))).toEqual([0, null]);
  });
});

/** Resolves with the process once it has said its one line. */
async function startProcess({ port, smtpPort, directory }: { port: number; smtpPort: number; directory: string }) {
  const child = spawn(process.execPath, ["--import", "tsx", join(import.meta.dirname, "main.ts")], {
    env: environmentWith({
      HANDRAIL_SANDBOX_PORT: String(port),
      HANDRAIL_SMTP_PORT: String(smtpPort),
      HANDRAIL_DATA: directory,
    }),
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout as Readable, "data");
  expect(String(line)).toContain(`http://127.0.0.1:${port}`);
  return child;
}

async function exitOf(child: ChildProcess, end: () => void) {
  const exit = once(child, "exit");
  end();
  return exit;
}

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}
