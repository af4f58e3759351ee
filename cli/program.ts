import { Command } from "commander";
import { VERSION } from "../lib/engine/version";
import { addApprovals } from "./commands/approvals";
import { addCompensations } from "./commands/compensations";
import { addCompletion } from "./commands/completion";
import { addEvents } from "./commands/events";
import { addOperations } from "./commands/operations";
import { addProblems } from "./commands/problems";
import { addRuns } from "./commands/runs/runs";
import { addSchedules } from "./commands/schedules";
import { addTokens } from "./commands/tokens";
import { addWorkflows } from "./commands/workflows";

/**
 * The whole command line. The options of every command stand before or after it.
 * @param addDatabase the commands that go to the database itself
 */
export function makeProgram(addDatabase: (program: Command) => void): Command {
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
  addApprovals(program);
  addCompensations(program);
  addEvents(program);
  addSchedules(program);
  addWorkflows(program);
  addOperations(program);
  addTokens(program);
  addDatabase(program);
  addCompletion(program);
  return program;
}
