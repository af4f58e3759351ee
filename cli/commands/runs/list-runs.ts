import { type Command, Option } from "commander";
import type { RunListItem } from "../../../lib/api/contract/run";
import { RUN_SORTS, type RunSort } from "../../../lib/engine/runs/run";
import { plain } from "../../output/plain";
import { runStatus, tagsText, titleText } from "../../output/run";
import type { Screen } from "../../output/screen";
import { ago } from "../../output/times";
import { withSession } from "../../session/act";
import { filterOf } from "../../session/filter";
import { noteMore, type Page, withPage } from "../page";

export function addListRuns(runs: Command): void {
  withPage(runs.command("list").description("runs, newest first"))
    .option("--filter <filter>", "in the language of the console, such as 'status:failed since:24h'", "")
    .addOption(new Option("--sort <order>", "the order").choices(RUN_SORTS))
    .action(
      withSession(async ({ client, screen }, { filter, ...page }: Page & { filter: string; sort?: RunSort }) => {
        const list = await client.read("/v1/runs", { ...filterOf(filter), ...page });
        screen.answer(list, ({ runs: rows }) => runTable(screen, rows));
        noteMore(screen, list.nextCursor);
      }),
    );
}

function runTable(screen: Screen, runs: readonly RunListItem[]): string {
  if (runs.length === 0) return "No runs.";
  return screen.table(
    ["id", "title", "workflow", "status", "tags", "created", "summary"],
    runs.map((run) => [
      run.id,
      titleText(run),
      plain(run.workflow),
      runStatus(screen.paint, run),
      tagsText(run.tags),
      ago(run.createdAt),
      plain(run.summary),
    ]),
  );
}
