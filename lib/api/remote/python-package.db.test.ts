import { execFile, spawnSync } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../testing/api/api-server";
import { hasPython } from "../../testing/workers/python-worker";
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
});

it.skipIf(!succeeds("mypy", "--version"))("mypy, strict, finds nothing wrong (skipped without mypy)", async () => {
  const { stdout } = await execute("mypy", { cwd: PACKAGE });
  expect(stdout).toContain("Success: no issues found");
});

/** One that can build wheels, of those that a machine may have. */
const builder = ["python3", "/usr/bin/python3"].find((one) => succeeds(one, "-c", "import setuptools, wheel"));
it.skipIf(!builder)("its wheel is its code and its types (skipped without setuptools and wheel)", async () => {
  const scratch = await mkdtemp(path.join(tmpdir(), "handrail-wheel-"));
  try {
    const source = path.join(scratch, "source");
    await cp(PACKAGE, source, { recursive: true });
    const build = `import setuptools.build_meta as backend; backend.build_wheel(${JSON.stringify(scratch)})`;
    await execute(builder as string, ["-c", build], { cwd: source });
    const wheel = path.join(scratch, "handrail-0.1.0-py3-none-any.whl");
    expect((await execute("python3", ["-m", "zipfile", "-l", wheel])).stdout).toContain("handrail/py.typed");
    // Python imports from archives: this is the wheel's own code.
    const script = "import handrail; print(handrail.__file__, handrail.Worker.__name__)";
    const { stdout } = await execute("python3", ["-c", script], { env: { ...process.env, PYTHONPATH: wheel } });
    expect(stdout).toBe(`${wheel}/handrail/__init__.py Worker\n`);
  } finally {
    await rm(scratch, { recursive: true });
  }
});
