import { type Command, Option } from "commander";
import type { LogFilter, LogSearchResponse } from "../../../lib/api/contract/log";
import { LOG_LEVELS } from "../../../lib/engine/runs/log";
import { plain } from "../../output/plain";
import type { Screen } from "../../output/screen";
import { moment } from "../../output/times";
import { withSession } from "../../session/act";
import { listOf } from "../../session/given";
import { noteMore, type Page, withPage } from "../page";
import { lineText } from "./print-logs";

export function addSearchLogs(program: Command): void {
  const logs = program.command("logs").description("the log lines of all runs");
  withPage(logs.command("search [text]"))
    .description('lines that have these words, newest first; "two words" in quotes are a phrase')
    .addOption(new Option("--level <level>", "this level and those above it").choices(LOG_LEVELS))
    .addOption(listOf("--workflow <name>", "of this workflow"))
    .option("--step <name>", "logged in this step")
    .option("--after <time>", 'logged since: an instant, or how long ago, such as "2h"')
    .option("--before <time>", "logged before: an instant, or how long ago")
    .action(
      withSession(async ({ client, screen }, q: string | undefined, options: Omit<LogFilter, "q"> & Page) => {
        const found = await client.read("/v1/logs", { q, ...options });
        screen.answer(found, (answer) => foundText(screen, answer));
        if (found.leavesOutMasked)
          screen.note("Lines of workflows that mask fields were not searched: you may not see masked values.");
        if (found.lookedBackTo !== null)
          screen.note(`Searched back to ${moment(found.lookedBackTo)} in the time of one page.`);
        noteMore(screen, found.nextCursor);
      }),
    );
}

const foundText = (screen: Screen, { lines }: LogSearchResponse): string =>
  lines.length === 0
    ? "No lines."
    : lines
        .map((line) => `${screen.paint("gray", `${line.runId} ${plain(line.workflow)}`)}  ${lineText(screen, line)}`)
        .join("\n");
