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

it("a worker that starts while no server answers waits for one, in the same process", async () => {
  const nowhere = `postgresql://nobody@127.0.0.1:${await freePort()}/none`;
  proxy.leadTo(nowhere);
  const port = await freePort();
  child = spawn(process.execPath, ["--import", "tsx", SCRIPT], {
    env: environmentWith({
      DATABASE_URL: proxy.url,
      HANDRAIL_AUDIT_KEY: TEST_AUDIT_KEY,
      HANDRAIL_WORKER_PORT: String(port),
    }),
    stdio: ["ignore", "inherit", "pipe"],
  });
  const ended = once(child, "exit");
  let said = "";
  child.stderr?.on("data", (text) => {
    said += text;
  });
  const status = () =>
    fetch(`http://127.0.0.1:${port}/api/health/ready`).then(
      ({ status }) => status,
      () => undefined,
    );
  await until(
    "The worker's message",
    () => said.includes("the database cannot be reached") || child?.exitCode !== null,
  );
  expect(child.exitCode).toBeNull();
  expect(await status()).toBe(503);
  proxy.leadTo(database.url);
  await until("The worker's readiness", async () => (await status()) === 200);
  child.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
});
