import { type Command, Option } from "commander";
import type { RunSpansResponse } from "../../../lib/api/contract/spans";
import { nestSpans } from "../../../lib/engine/spans/span-tree";
import { formatFineDuration } from "../../../lib/format/fine-duration";
import { plain } from "../../output/plain";
import type { Screen } from "../../output/screen";
import { moment } from "../../output/times";
import { withSession } from "../../session/act";
import { wholeNumber } from "../../session/given";
import { noteMore, type Page } from "../page";

const PAGE = 500;
/** Deeper spans are drawn as deep as this: their names need room. */
const DEEPEST = 12;

export function addListSpans(runs: Command): void {
  runs
    .command("spans <run>")
    .description("the spans that were received of a run, below their parents")
    .addOption(new Option("--limit <number>", "spans of the page, up to 500").argParser(wholeNumber(1, PAGE)))
    .option("--cursor <cursor>", "where the page begins: the nextCursor of the page before")
    .action(
      withSession(async ({ client, screen }, runId: string, page: Page) => {
        const answer = await client.read("/v1/runs/{runId}/spans", { runId, ...page });
        screen.answer(answer, (given) => spanTable(screen, given));
        if (answer.full)
          screen.note("The run or its trace has reached its limit of kept spans: later ones were refused.");
        if (answer.traceUrl !== null) screen.note(`The trace: ${answer.traceUrl}`);
        noteMore(screen, answer.nextCursor);
      }),
    );
}

function spanTable(screen: Screen, { spans, traceId }: RunSpansResponse): string {
  if (spans.length === 0) return `No spans were received of this run. Its trace is ${traceId}.`;
  return screen.table(
    ["began", "took", "service", "span"],
    nestSpans(spans).map(({ span, depth }) => [
      moment(span.startedAt),
      formatFineDuration(span.durationMs),
      plain(span.service),
      `${"  ".repeat(Math.min(depth, DEEPEST))}${plain(span.name)}${span.status === "error" ? screen.paint("red", " error") : ""}`,
    ]),
  );
}
