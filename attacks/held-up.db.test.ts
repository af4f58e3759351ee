import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { poolDb } from "../lib/store/db";
import { aRun } from "../lib/testing/a-run";
import { ChildConsole } from "../lib/testing/crash";
import { createTestDatabase, type TestDatabase } from "../lib/testing/database";
import { addressOf, ENDPOINTS } from "./fields";
import { attackTable, unless } from "./table";

/* A console in a process of its own, and somebody beside each attack who only asks whether it lives. */

let database: TestDatabase;
let served: ChildConsole;
let runId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const db = poolDb(database.pool);
  await database.pool.query(
    "insert into handrail.workflow (name, version, title, masked) values ('vault', 1, 'Vault', '{secrets}')",
  );
  const secrets = Array.from({ length: 1_900 }, (_, n) => `secret-${n}x`);
  const input = JSON.stringify({ secrets, text: "secret-7x, ".repeat(80_000) });
  runId = await aRun(db, { workflow: "vault", input }).failedAt("charge-payment");
  served = await ChildConsole.spawn(database);
});
afterAll(async () => {
  await served?.kill();
  await database.drop();
});

const holds = attackTable("held up");
/** Of a probe, on a busy machine; one GET took 14 s. */
const LONGEST_MS = 1_500;

/** The longest that a probe of life waited while the request was answered. */
async function longestBeside(request: () => Promise<Response>): Promise<{ longest: number; status: number }> {
  let longest = 0;
  let over = false;
  const probing = (async () => {
    while (!over) {
      const startedAt = performance.now();
      const { status } = await fetch(`${served.url}/health/live`);
      expect(status).toBe(200);
      longest = Math.max(longest, performance.now() - startedAt);
      await pause(2);
    }
  })();
  const response = await request();
  await response.text();
  over = true;
  await probing;
  return { longest, status: response.status };
}

it("no read of a run with 1,900 masked values and 900 kB of text keeps a probe waiting", async () => {
  const reads = ENDPOINTS.filter(
    ({ method, path }) => method === "GET" && /^\/v1\/(runs|problems|effects|overview|search)/.test(path),
  );
  await holds(reads, async (endpoint) => {
    const address = `${served.url}${addressOf(endpoint, { runId, step: "charge-payment" })}`;
    const { longest, status } = await longestBeside(() =>
      fetch(`${address}${endpoint.path === "/v1/search" ? "?q=vault" : ""}`),
    );
    return unless(longest < LONGEST_MS && status < 500, endpoint.path, { longest, status });
  });
});

/** A start of many runs takes 16 MiB: parsing that is one piece of work, as docs/security.md says. */
const LONGEST_BODY = 2_097_152;

it("no body of the length that its endpoint takes does, either, up to 2 MiB", async () => {
  const taking = ENDPOINTS.filter(({ body, path }) => body !== null && !path.startsWith("/v1/sandbox"));
  const shapes = (bytes: number) => [
    `[${"0,".repeat(bytes / 2 - 2)}0]`,
    `{"input":[${'{"a":1},'.repeat(bytes / 8 - 4)}0]}`,
  ];
  const rows = taking.flatMap((endpoint) =>
    shapes(Math.min(endpoint.maxBodyBytes, LONGEST_BODY)).map((body) => ({ endpoint, body })),
  );
  await holds(rows, async ({ endpoint: { method, ...endpoint }, body }) => {
    const address = `${served.url}${addressOf({ method, ...endpoint }, { runId, step: "charge-payment" })}`;
    const headers = { "content-type": "application/json" };
    // One that is refused before its body may find its connection closed.
    const send = () => fetch(address, { method, body, headers }).catch(() => new Response(null, { status: 413 }));
    const { longest, status } = await longestBeside(send);
    return unless(longest < LONGEST_MS && status < 500, `${method} ${endpoint.path}`, { longest, status });
  });
});
