import { Command, type Option } from "commander";
import { VERSION } from "../lib/engine/version";
import { addAlerts } from "./commands/alerts";
import { addApprovals } from "./commands/approvals";
import { addCompensations } from "./commands/compensations";
import { addCompletion } from "./commands/completion";
import { addDatabase } from "./commands/database";
import { addDeploys, keepDeployOptions } from "./commands/deploys";
import { addEvents } from "./commands/events";
import type { FindHome } from "./commands/home";
import { addOperations } from "./commands/operations";
import { addProblems } from "./commands/problems";
import { addErase } from "./commands/runs/act-on-runs";
import { addRuns } from "./commands/runs/runs";
import { addSearchLogs } from "./commands/runs/search-logs";
import { addSchedules } from "./commands/schedules";
import { addTokens } from "./commands/tokens";
import { addWorkflows } from "./commands/workflows";

/** What is different in this repository and in the package. */
export interface Surroundings {
  /** Of the commands that go to the database itself. */
  findHome: FindHome;
  /** Names another file with the app's workflows, where there may be one. */
  configOption?: () => Option;
  /** Commands that are there alone. */
  addMore?: (program: Command) => void;
}

/** The whole command line. The options of every command stand before or after it. */
export function makeProgram({ findHome, configOption, addMore }: Surroundings): Command {
  const program = new Command("handrail")
    .description("The console of Handrail for people in a terminal, and for their scripts.")
    .version(VERSION, "-V, --version")
    .option("--url <address>", "where Handrail answers (HANDRAIL_URL; default: http://127.0.0.1:3000)")
    .option("--token <token>", "better: HANDRAIL_TOKEN, which no list of processes shows")
    .option("--json", "print the API's answer")
    .option("--no-color", "no colours")
    .showHelpAfterError("Add --help to see what there is.")
    .exitOverride();
  addRuns(program);
  addProblems(program);
  addSearchLogs(program);
  addErase(program);
  addApprovals(program);
  addCompensations(program);
  addEvents(program);
  addSchedules(program);
  addWorkflows(program, findHome, configOption?.());
  addDeploys(program);
  addOperations(program);
  addAlerts(program);
  addTokens(program);
  addDatabase(program, findHome);
  addMore?.(program);
  addCompletion(program);
  keepDeployOptions(program);
  return program;
}
