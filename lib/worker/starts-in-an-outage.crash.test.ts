import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../scripts/ports";
import { environmentWith } from "../env";
import { TEST_AUDIT_KEY } from "../testing/audit-keys";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { startProxy, type TestProxy } from "../testing/database/proxy";
import { until } from "../testing/until";

const SCRIPT = fileURLToPath(new URL("../../scripts/worker.ts", import.meta.url));

let database: TestDatabase;
let proxy: TestProxy;
let child: ChildProcess | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startProxy(database.url);
});
afterAll(async () => {
  child?.kill("SIGKILL");
  await proxy.close();
  await database.drop();
});

const start = (env: Record<string, string>) => {
  const worker = spawn(process.execPath, ["--import", "tsx", SCRIPT], {
    env: environmentWith({ HANDRAIL_AUDIT_KEY: TEST_AUDIT_KEY, ...env }),
    stdio: ["ignore", "inherit", "pipe"],
  });
  child = worker;
  let said = "";
  worker.stderr.on("data", (text) => {
    said += text;
  });
  return { worker, ended: once(worker, "exit"), said: () => said };
};

it("a worker that starts while no server answers waits for one, in the same process", async () => {
  const nowhere = `postgresql://nobody@127.0.0.1:${await freePort()}/none`;
  proxy.leadTo(nowhere);
  const port = await freePort();
  const { worker, ended, said } = start({ DATABASE_URL: proxy.url, HANDRAIL_WORKER_PORT: String(port) });
  const status = () =>
    fetch(`http://127.0.0.1:${port}/api/health/ready`).then(
      ({ status }) => status,
      () => undefined,
    );
  await until(
    "The worker's message",
    () => said().includes("the database cannot be reached") || worker.exitCode !== null,
  );
  expect(worker.exitCode).toBeNull();
  expect(await status()).toBe(503);
  proxy.leadTo(database.url);
  await until("The worker's readiness", async () => (await status()) === 200);
  worker.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
});

it("a worker that is stopped while it waits for the end of a migration ends with code 0", async () => {
  await database.pool.query(
    "insert into handrail.drain (migration, until_at) values ('m', clock_timestamp() + interval '10 minutes')",
  );
  const { worker, ended, said } = start({ DATABASE_URL: database.url });
  await until("The worker's message", () => said().includes("is being migrated") || worker.exitCode !== null);
  worker.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
  expect(said()).toContain("stopped");
});
