import { stripVTControlCharacters } from "node:util";
/** The counts of a stage. A check without tests counts as one. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export const PASSED: Counts = { passed: 1, failed: 0, skipped: 0 };
export const FAILED: Counts = { passed: 0, failed: 1, skipped: 0 };

export function sum(all: readonly Counts[]): Counts {
  return all.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

export function asText({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

export interface VitestReport {
  testResults: {
    name?: string;
    status: string;
    assertionResults: { status: string; fullName?: string; failureMessages?: readonly string[] }[];
  }[];
}

/** A file that fails without a failed test (it did not load, or a hook threw) counts as one failure. */
export function fromVitest({ testResults }: VitestReport): Counts {
  return sum(
    testResults.map(({ status, assertionResults }) => {
      const ended = (...statuses: string[]) => assertionResults.filter((test) => statuses.includes(test.status)).length;
      const failed = ended("failed");
      const passed = ended("passed");
      return {
        passed,
        failed: status === "failed" ? Math.max(failed, 1) : failed,
        skipped: assertionResults.length - passed - failed,
      };
    }),
  );
}

/** Tests that failed, and passed when they were tried again: each with the first line of what went wrong. */
export function unsteadyOfVitest({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ status, fullName, failureMessages = [] }) =>
      status === "passed" && failureMessages[0] !== undefined
        ? [`${name} > ${fullName}: ${failureMessages[0].split("\n")[0]}`]
        : [],
    ),
  );
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: { file: string; title: string; tests: { status: string; results?: { error?: { message?: string } }[] }[] }[];
}

export interface PlaywrightReport extends PlaywrightSuite {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

export function fromPlaywright({ stats }: PlaywrightReport): Counts {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

export function unsteadyOfPlaywright({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const here = specs.flatMap(({ file, title, tests }) => {
    const flaky = tests.find(({ status }) => status === "flaky");
    const wrong = flaky?.results?.find(({ error }) => error)?.error?.message?.split("\n")[0];
    return flaky ? [`${file} > ${title}${wrong ? `: ${stripVTControlCharacters(wrong)}` : ""}`] : [];
  });
  return [...here, ...suites.flatMap(unsteadyOfPlaywright)];
}

/** A report is trusted only as far as the program's exit code agrees: without it, or beside it, something broke. */
export function settle(report: Counts | undefined, exitCode: number | null): Counts {
  if (!report) return FAILED;
  return exitCode === 0 || report.failed > 0 ? report : { ...report, failed: 1 };
}
