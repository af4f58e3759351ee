import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureChromium } from "./chromium";
import { type Counts, FAILED, fromPlaywright, fromVitest, PASSED, settle } from "./counts";
import { runCommand } from "./run-command";

export interface Outcome {
  counts: Counts;
  /** Everything that was said, to be shown when something failed. */
  output: string;
}

export interface Stage {
  name: string;
  /** `scratch` is a folder for reports and logs. */
  run(scratch: string): Promise<Outcome>;
}

/** In order: what is quick to fail comes first. */
export const stages: Stage[] = [
  check("lint", ["biome", "check", "."]),
  check("types", ["next", "typegen"], ["tsc", "--noEmit"]),
  check("architecture", ["tsx", "scripts/check-architecture.ts"]),
  check("schema", ["tsx", "scripts/check-schema.ts"]),
  check("build", ["next", "build"]),
  vitest("unit"),
  vitest("ui"),
  vitest("db"),
  vitest("crash"),
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

function vitest(project: string): Stage {
  return {
    name: project,
    async run(scratch) {
      const report = join(scratch, `${project}.json`);
      const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
      const ended = await runCommand(
        ["vitest", "run", "--project", project, ...reporters],
        join(scratch, `${project}.log`),
      );
      return { counts: settle(readReport(report, fromVitest), ended.code), output: ended.output };
    },
  };
}

async function runBrowserTests(scratch: string): Promise<Outcome> {
  const missing = await ensureChromium(scratch);
  if (missing) return { counts: FAILED, output: missing };
  const report = join(scratch, "browser.json");
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const ended = await runCommand(["playwright", "test", "--reporter=list,json"], join(scratch, "browser.log"), env);
  return { counts: settle(readReport(report, fromPlaywright), ended.code), output: ended.output };
}

function readReport<Report>(path: string, count: (report: Report) => Counts): Counts | undefined {
  return existsSync(path) ? count(JSON.parse(readFileSync(path, "utf8"))) : undefined;
}
