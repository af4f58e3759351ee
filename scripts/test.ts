/**
 * `npm test`: every stage, or the named ones; `-- --whole`: every case, also of those tests that try one case in a few
 * each time (lib/testing/sample.ts). Ends with one line, `N passed, N failed`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asText, type Counts, FAILED, sum } from "./test/counts";
import { type Stage, stages } from "./test/stages";

const WHOLE = "--whole";

const say = (line: string) => process.stdout.write(`${line}\n`);

async function runStage(stage: Stage, scratch: string): Promise<Counts> {
  process.stdout.write(`${stage.name.padEnd(14)}`);
  const startedAt = performance.now();
  const { counts, output, unsteady = [] } = await stage.run(scratch);
  say(`${`${((performance.now() - startedAt) / 1000).toFixed(1)} s`.padStart(8)}   ${asText(counts)}`);
  for (const test of unsteady) say(`  passed at the second try: ${test}`);
  if (counts.failed > 0) say(`\n${output || "It said nothing."}\n`);
  return counts;
}

async function runStages(chosen: readonly Stage[]): Promise<Counts> {
  const scratch = mkdtempSync(join(tmpdir(), "handrail-report-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const results: Counts[] = [];
  const failed: string[] = [];
  for (const stage of chosen) {
    const counts = await runStage(stage, scratch);
    results.push(counts);
    if (counts.failed > 0) failed.push(stage.name);
  }
  if (failed.length > 0) say(`\nFailed: ${failed.join(", ")}`);
  return sum(results);
}

async function main(args: readonly string[]): Promise<void> {
  const names = args.filter((arg) => arg !== WHOLE);
  // Another number each time, so that every case has its turn.
  if (!args.includes(WHOLE)) process.env.HANDRAIL_SAMPLE ??= String(Date.now() % 1_000_000);
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0)
    say(`There is no stage ${unknown.join(", ")}. There are: ${stages.map((stage) => stage.name).join(", ")}.`);
  const chosen = stages.filter((stage) => names.length === 0 || names.includes(stage.name));
  const total = unknown.length > 0 ? FAILED : await runStages(chosen);
  say(asText(total));
  process.exitCode = total.failed > 0 ? 1 : 0;
}

await main(process.argv.slice(2));
