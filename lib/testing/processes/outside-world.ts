import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";

interface Running {
  url: string;
  smtpPort: number;
  stop(): Promise<void>;
}
type Start = (options: { port: number; smtpPort: number; directory: string }) => Promise<Running>;

interface SeenCharge {
  id: string;
  orderId: string;
  amountCents: number;
  idempotencyKey: string;
  /** How often it was requested. */
  requests: number;
}
interface SeenMail {
  to: string;
  subject: string;
  messageId: string;
}

/**
 * The sandbox as this file's provider, for the workers of this process and of its children; `start` is the sandbox's
 * own. Call it at the top of a file. Its services are shared by all tests of the file and are reset after each.
 */
export function theOutsideWorld(start: Start) {
  let running: Running;
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "handrail-world-"));
    running = await start({ port: 0, smtpPort: 0, directory });
    // Clients read it once, on first use.
    Object.assign(process.env, world.env());
  });
  afterEach(async () => {
    for (const service of ["payments", "mail", "blobs", "users"]) await world.fault(service, { mode: "none" });
  });
  afterAll(async () => {
    await running.stop();
    await rm(directory, { recursive: true });
  });

  const get = async <Answer>(path: string) => (await (await fetch(running.url + path)).json()) as Answer;
  const world = {
    env: () => ({ HANDRAIL_SANDBOX_URL: running.url, HANDRAIL_SMTP_PORT: `${running.smtpPort}` }),
    async put(path: string, body: unknown): Promise<void> {
      const headers = { "content-type": "application/json" };
      const response = await fetch(running.url + path, { method: "PUT", headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
    },
    fault: (service: string, fault: object) => world.put(`/${service}/faults`, fault),
    /** Charges of this order, or of every order with this id prefix. */
    async charges(order: string): Promise<SeenCharge[]> {
      const { charges } = await get<{ charges: SeenCharge[] }>("/payments/ledger");
      return charges.filter(({ orderId }) => orderId.startsWith(order));
    },
    async refunds(chargeId: string): Promise<unknown[]> {
      const { refunds } = await get<{ refunds: { chargeId: string }[] }>("/payments/ledger");
      return refunds.filter((refund) => refund.chargeId === chargeId);
    },
    async mails(to: string): Promise<SeenMail[]> {
      const { messages } = await get<{ messages: SeenMail[] }>("/mail");
      return messages.filter((mail) => mail.to === to);
    },
    async blob(key: string): Promise<{ key: string; writes: number; size: number } | undefined> {
      const { blobs } = await get<{ blobs: { key: string; writes: number; size: number }[] }>("/blobs");
      return blobs.find((blob) => blob.key === key);
    },
  };
  return world;
}

/** A 1 × 1 PNG, in base64. */
export const A_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
