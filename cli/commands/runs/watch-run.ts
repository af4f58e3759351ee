import { type Command, Option } from "commander";
import type { Run } from "../../../lib/api/contract/run";
import { type Bar, openBar } from "../../output/bar";
import { plain } from "../../output/plain";
import { runFacts, runStatus } from "../../output/run";
import type { Screen } from "../../output/screen";
import { stepKey, stepLine, stepState } from "../../output/step-line";
import { moment } from "../../output/times";
import { withSession } from "../../session/act";
import { durationMs } from "../../session/given";
import { exitOf, untilEnd } from "./until-end";

const EVERY_MS = 1_000;

export function addWatchRun(runs: Command): void {
  runs
    .command("watch <run>")
    .description("print a run's steps as they happen, until it ends; exit code 3 if it did not complete")
    .addOption(new Option("--timeout <duration>", "exit code 5 after so long").argParser(durationMs))
    .action(
      withSession(async (session, runId: string, { timeout }: { timeout?: number }) => {
        const { screen } = session;
        const seen = new Map<string, string>();
        const bar = openBar(screen, "progress");
        let last: Run | undefined;
        try {
          for await (const run of untilEnd(session, runId, { everyMs: EVERY_MS, timeoutMs: timeout })) {
            if (screen.json) printChanged(screen, run, seen);
            else showChanges(screen, run, seen, bar);
            last = run;
          }
        } finally {
          bar.stop();
        }
        if (!last) return;
        if (!screen.json) screen.line(`\n${runFacts(screen, last)}`);
        return exitOf(last);
      }),
    );
}

/** NDJSON: the run whenever something of it is different. */
function printChanged(screen: Screen, run: Run, seen: Map<string, string>): void {
  const steps = run.steps.map((step) => [stepKey(step), stepState(step)]);
  const state = JSON.stringify([run.revision, run.status, run.attention, run.progress, steps]);
  if (seen.get("run") !== state) screen.entry(run, () => "");
  seen.set("run", state);
}

function showChanges(screen: Screen, run: Run, seen: Map<string, string>, bar: Bar): void {
  const lines = [
    ...run.steps
      .filter((step) => seen.get(stepKey(step)) !== stepState(step))
      .sort((a, b) => (a.finishedAt ?? "9").localeCompare(b.finishedAt ?? "9"))
      .map(
        (step) => `${screen.paint("gray", moment(step.finishedAt ?? step.startedAt))}  ${stepLine(screen.paint, step)}`,
      ),
    ...(seen.get("run") === run.status
      ? []
      : [`${screen.paint("gray", moment(new Date().toISOString()))}  run is ${runStatus(screen.paint, run)}`]),
  ];
  for (const step of run.steps) seen.set(stepKey(step), stepState(step));
  seen.set("run", run.status);
  // The bar keeps the last line to itself.
  if (lines.length > 0) bar.stop();
  for (const line of lines) screen.line(line);
  if (run.progress) bar.update(run.progress.done, run.progress.total, plain(run.progress.note ?? ""));
}
