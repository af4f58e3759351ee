import { type Command, Option } from "commander";
import type { PlanRequest } from "../../lib/api/contract/plans";
import { filterOf } from "../session/filter";
import { wholeNumber } from "../session/given";
import { UsageError } from "../session/stops";

/** The options of every action on runs. */
export interface ActOptions {
  filter?: string;
  reason?: string;
  yes?: boolean;
  dryRun?: boolean;
  rate?: number;
  canary?: number;
}

/** An action names its runs, or selects them by a filter. */
export const withActOptions = (command: Command): Command =>
  command
    .argument("[runs...]", "ids of runs")
    .option("--filter <filter>", "all runs that this finds, by a plan")
    .option("--reason <text>", "saved to the audit log; asked for on a terminal")
    .option("-y, --yes", "carry the plan out without asking")
    .option("--dry-run", "print the plan, and change nothing")
    .addOption(new Option("--rate <number>", "runs a second").argParser(wholeNumber(1, 1_000)))
    .addOption(new Option("--canary <number>", "runs that are tried first").argParser(wholeNumber(0, 1_000)));

type Selection = PlanRequest["selection"];

/** @throws UsageError where neither or both are given, and for a filter that would select every run */
export function selectionOf(runIds: readonly string[], filter: string | undefined): Selection {
  if (filter === undefined) {
    if (runIds.length === 0) throw new UsageError("Name the runs, or select them with --filter.");
    return { runIds: [...new Set(runIds)] };
  }
  if (runIds.length > 0) throw new UsageError("Name the runs or give a --filter, not both.");
  const selected = filterOf(filter);
  if (Object.keys(selected).length === 0)
    throw new UsageError("The --filter of an action has one condition at least, such as 'status:failed'.");
  return { filter: selected };
}

/** The run that is meant alone: it needs no plan. */
export const onlyRun = (selection: Selection, { dryRun = false }: ActOptions): string | undefined =>
  "runIds" in selection && selection.runIds.length === 1 && !dryRun ? selection.runIds[0] : undefined;
