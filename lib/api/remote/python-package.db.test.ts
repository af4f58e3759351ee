import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../testing/api/api-server";
import { buildWheel, hasPython, wheelBuilder } from "../../testing/workers/python-worker";
import { aRemoteScene } from "../../testing/workers/remote-worker";

/* The package for Python: its own tests against this server, its types, and its wheel. */

const PACKAGE = fileURLToPath(new URL("../../../clients/python", import.meta.url));
const execute = promisify(execFile);
const scene = aRemoteScene();
let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer(scene.api);
});
afterAll(() => server.close());

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const python = (args: readonly string[], env: Record<string, string>) =>
  execute("python3", args, { cwd: PACKAGE, env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env } });

it.skipIf(!hasPython)("its own tests pass against this server (skipped without python3)", async () => {
  const args = ["-m", "unittest", "discover", "-s", "tests", "-t", "."];
  const { stderr } = await python(args, { PYTHONPATH: "src", HANDRAIL_URL: server.url });
  expect(stderr).toMatch(/Ran \d+ tests/);
  expect(stderr).not.toContain("skipped");
  const { rows } = await scene.database.pool.query("select build from handrail.deploy where build is not null");
  expect(rows).toEqual([{ build: "9f3c2d1" }]);
});

it.skipIf(!succeeds("mypy", "--version"))("mypy, strict, finds nothing wrong (skipped without mypy)", async () => {
  const { stdout } = await execute("mypy", { cwd: PACKAGE });
  expect(stdout).toContain("Success: no issues found");
});

it.skipIf(!wheelBuilder)("its wheel is its code and its types (skipped without setuptools and wheel)", async () => {
  const scratch = await mkdtemp(path.join(tmpdir(), "handrail-wheel-"));
  try {
    const wheel = await buildWheel(scratch);
    expect((await execute("python3", ["-m", "zipfile", "-l", wheel])).stdout).toContain("handrail/py.typed");
    const script = "import handrail; print(handrail.__file__, handrail.Worker.__name__)";
    const { stdout } = await execute("python3", ["-c", script], { env: { ...process.env, PYTHONPATH: wheel } });
    expect(stdout).toBe(`${wheel}/handrail/__init__.py Worker\n`);
  } finally {
    await rm(scratch, { recursive: true });
  }
});
