import type { Command } from "commander";
import { addRunActions } from "./act-on-runs";
import { addListRuns } from "./list-runs";
import { addListSpans } from "./list-spans";
import { addLoadValue } from "./load-value";
import { addPrintLogs } from "./print-logs";
import { addResolveStep } from "./resolve-step";
import { addShowPublished } from "./show-published";
import { addShowRun } from "./show-run";
import { addStartRun } from "./start-run";
import { addWaitForRun } from "./wait-for-run";
import { addWatchRun } from "./watch-run";

export function addRuns(program: Command): void {
  const runs = program.command("runs").description("what ran, runs and waits, and what to do about it");
  addListRuns(runs);
  addShowRun(runs);
  addWatchRun(runs);
  addStartRun(runs);
  addWaitForRun(runs);
  addShowPublished(runs);
  addLoadValue(runs);
  addRunActions(runs);
  addResolveStep(runs);
  addPrintLogs(runs);
  addListSpans(runs);
}
