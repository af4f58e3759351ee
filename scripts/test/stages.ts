import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureChromium } from "./chromium";
import {
  type Counts,
  FAILED,
  fromPlaywright,
  fromVitest,
  PASSED,
  type PlaywrightReport,
  settle,
  unsteadyOfPlaywright,
  unsteadyOfVitest,
  type VitestReport,
} from "./counts";
import { ensureMypy } from "./mypy";
import { ensureClusterPrograms } from "./patroni";
import { ensurePgbouncer } from "./pgbouncer";
import { ensurePostgres15 } from "./postgres-15";
import { ensurePrometheus } from "./prometheus";
import { runCommand } from "./run-command";
import { ensureShells } from "./shells";

export interface Outcome {
  counts: Counts;
  /** Everything that was said, to be shown when something failed. */
  output: string;
  /** What passed only when it was tried again. */
  unsteady?: string[];
}

export interface Stage {
  name: string;
  /** `scratch` is a folder for reports and logs. */
  run(scratch: string): Promise<Outcome>;
}

/** In CI, where the machine is not ours, tests that wait for other processes get one more try: docs/decisions/007. */
const SECOND_TRY = process.env.CI ? ["--retry=1"] : [];

const NOT_ENDED = "./scripts/test/not-ended.ts";

/** In order: what is quick to fail comes first. */
export const stages: Stage[] = [
  check("lint", ["biome", "check", "."]),
  check("types", ["next", "typegen"], ["tsc", "--noEmit"]),
  check("architecture", ["tsx", "scripts/check-architecture.ts"]),
  check("schema", ["tsx", "scripts/check-schema.ts"]),
  check("build", ["next", "build"]),
  check("first load", ["tsx", "scripts/check-first-load.ts"]),
  vitest("unit", ["unit"]),
  vitest("ui", ["ui"]),
  withPrograms(vitest("database", ["db", "crash"], ...SECOND_TRY)),
  { name: "browser", run: runBrowserTests },
];

function check(name: string, ...commands: string[][]): Stage {
  return {
    name,
    async run(scratch) {
      const output: string[] = [];
      for (const command of commands) {
        const ended = await runCommand(command, join(scratch, `${name}.log`));
        output.push(`$ ${command.join(" ")}`, ended.output);
        if (ended.code !== 0) return { counts: FAILED, output: output.join("\n") };
      }
      return { counts: PASSED, output: output.join("\n") };
    },
  };
}

/** PgBouncer, the oldest PostgreSQL, mypy, Prometheus and Patroni with what belongs to it: tests that need one of them are skipped without. */
function withPrograms({ name, run }: Stage): Stage {
  return {
    name,
    async run(scratch) {
      await ensurePgbouncer(scratch);
      await ensurePostgres15(scratch);
      await ensureMypy(scratch);
      await ensurePrometheus(scratch);
      await ensureClusterPrograms(scratch);
      await ensureShells(scratch);
      return run(scratch);
    },
  };
}

function vitest(name: string, projects: readonly string[], ...options: string[]): Stage {
  const chosen = projects.flatMap((project) => ["--project", project]);
  return {
    name,
    async run(scratch) {
      const file = join(scratch, `${name}.json`);
      const reporters = [
        "--reporter=default",
        `--reporter=${NOT_ENDED}`,
        "--reporter=json",
        `--outputFile.json=${file}`,
      ];
      const ended = await runCommand(
        ["vitest", "run", ...chosen, ...options, ...reporters],
        join(scratch, `${name}.log`),
      );
      const report = readReport<VitestReport>(file);
      return {
        counts: settle(report && fromVitest(report), ended.code),
        output: ended.output,
        unsteady: report && unsteadyOfVitest(report),
      };
    },
  };
}

async function runBrowserTests(scratch: string): Promise<Outcome> {
  const missing = await ensureChromium(scratch);
  if (missing) return { counts: FAILED, output: missing };
  const file = join(scratch, "browser.json");
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const command = ["playwright", "test", "--reporter=list,json", ...(process.env.CI ? ["--retries=1"] : [])];
  const ended = await runCommand(command, join(scratch, "browser.log"), env);
  const report = readReport<PlaywrightReport>(file);
  return {
    counts: settle(report && fromPlaywright(report), ended.code),
    output: ended.output,
    unsteady: report && unsteadyOfPlaywright(report),
  };
}

function readReport<Report>(path: string): Report | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}
