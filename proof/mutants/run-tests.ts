import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";

/** A run of tests that takes longer than this for each of its files hangs: tests end by themselves long before. */
const LONGEST_FILE_MS = 150_000;

/**
 * Below the patience of the tests themselves: what a mutant brings to a halt is not waited for longer than that. Three times what the
 * slowest test takes on a slow machine: one that is only slow must not count as failed.
 */
const TEST_TIMEOUT_MS = 36_000;

export interface FailedTest {
  file: string;
  test: string;
  /** It did not fail: it did not end. */
  timedOut: boolean;
}

export interface TestRun {
  passed: number;
  failed: FailedTest[];
  /** What went wrong beside the tests, such as a file that cannot be loaded. */
  trouble: string | undefined;
  seconds: number;
}

/** The part of vitest's JSON report that is read here. */
interface Report {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; duration?: number | null }[];
  }[];
}

/** Runs these test files in a copy of the project; `bail` stops with the first test that fails. */
export async function runTests(root: string, files: readonly string[], { bail }: { bail: boolean }): Promise<TestRun> {
  const startedAt = performance.now();
  const reportPath = join(root, "report.json");
  await rm(reportPath, { force: true });
  const { code, output } = await vitest(
    root,
    [
      ...["run", "--config", "proof/mutants/vitest.config.ts", "--reporter", "json", "--outputFile", reportPath],
      ...["--testTimeout", String(TEST_TIMEOUT_MS), "--hookTimeout", String(TEST_TIMEOUT_MS)],
      ...(bail ? ["--bail", "1"] : []),
      ...files,
    ],
    files.length * LONGEST_FILE_MS,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const text = await readFile(reportPath, "utf8").catch(() => undefined);
  const ended = output || `vitest ended with ${code}`;
  if (text === undefined) return { passed: 0, failed: [], trouble: ended, seconds };
  const run = read(JSON.parse(text) as Report, root);
  const unexplained = code !== 0 && run.failed.length === 0 ? ended : undefined;
  return { ...run, trouble: run.trouble ?? unexplained, seconds };
}

/** A separate process group, so that the workers which it started end with it. */
async function vitest(
  root: string,
  args: string[],
  longestMs: number,
): Promise<{ code: number | null; output: string }> {
  const bin = join(root, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let output = "";
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const endGroup = () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const timer = setTimeout(endGroup, longestMs);
  process.once("exit", endGroup);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  process.off("exit", endGroup);
  return { code, output: output.trim().slice(-2_000) };
}

function read({ testResults }: Report, root: string): Omit<TestRun, "seconds"> {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(root, name) })),
  );
  const unready = testResults.find(
    ({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed"),
  );
  return {
    passed: tests.filter(({ status }) => status === "passed").length,
    failed: tests
      .filter(({ status }) => status === "failed")
      .map(({ file, fullName, duration }) => ({
        file,
        // A name made from a test's data may hold what no terminal and no page shows.
        test: fullName.replace(/\p{Cc}/gu, "").trim(),
        timedOut: (duration ?? 0) >= TEST_TIMEOUT_MS,
      })),
    trouble: unready && `${relative(root, unready.name)} did not come to its tests. ${unready.message}`,
  };
}
