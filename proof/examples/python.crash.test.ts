import { rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../lib/testing/api/api-server";
import { buildWheel, hasPython, wheelBuilder } from "../../lib/testing/workers/python-worker";
import { aRemoteScene } from "../../lib/testing/workers/remote-worker";
import { execute } from "../package/installed-app";
import { copyOf } from "./copy-of";

/* The example in Python, with the wheel of the package and a server of the API: the test is that of the other examples. */

const scene = aRemoteScene();
let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer(scene.api);
});
afterAll(() => server.close());

it.skipIf(!hasPython || !wheelBuilder)(
  "python: killed while it charges, an order is charged once and paid (skipped without python3, setuptools and wheel)",
  { timeout: 240_000 },
  async ({ onTestFinished }) => {
    const app = await copyOf("python");
    const folder = path.dirname(app);
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      PYTHONPATH: await buildWheel(folder),
      HANDRAIL_URL: server.url,
      HANDRAIL_LEASE_MS: "5000",
    };
    const { stdout } = await execute("npm", ["test"], { cwd: app, env }).catch((error) => {
      throw new Error(`${error.stdout}${error.stderr}`);
    });
    expect(stdout).toMatch(/^(# |ℹ )pass 1$/m);
  },
);
