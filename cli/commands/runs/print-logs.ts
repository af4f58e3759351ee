import { type Command, Option } from "commander";
import type { LogLine, RunLogResponse } from "../../../lib/api/contract/log";
import { plain } from "../../output/plain";
import { valueText } from "../../output/run";
import type { Screen } from "../../output/screen";
import { moment } from "../../output/times";
import { withSession } from "../../session/act";
import { wholeNumber } from "../../session/given";
import type { Session } from "../../session/session";
import { noteMore } from "../page";
import { untilEnd } from "./until-end";

interface Options {
  follow?: boolean;
  grep?: string;
  limit?: number;
  cursor?: string;
}

const PAGE = 1_000;
const EVERY_MS = 1_000;

export function addPrintLogs(runs: Command): void {
  runs
    .command("logs <run>")
    .description("what a run's code has logged")
    .option("-f, --follow", "print new lines until the run ends")
    .option("--grep <text>", "only lines with this text in message, data or step")
    .addOption(new Option("--limit <number>", "lines of the page, up to 1000").argParser(wholeNumber(1, PAGE)))
    .option("--cursor <cursor>", "where the page begins: the nextCursor of the page before")
    .action(
      withSession(async (session, runId: string, { follow = false, grep: q, ...page }: Options) => {
        if (follow) return followLog(session, runId, q);
        const log = await session.client.read("/v1/runs/{runId}/logs", { runId, q, ...page });
        session.screen.answer(log, ({ lines }) => logText(session.screen, lines));
        noteMore(session.screen, log.nextCursor);
      }),
    );
}

const LEVEL_COLOURS = { debug: "gray", info: "gray", warn: "yellow", error: "red" } as const;

const logText = (screen: Screen, lines: readonly LogLine[]): string =>
  lines.length === 0 ? "No lines." : lines.map((line) => lineText(screen, line)).join("\n");

export function lineText({ paint }: Screen, { at, level, step, attempt, message, data }: LogLine): string {
  const where = step === null ? "" : `${plain(step)}${attempt !== null && attempt > 1 ? ` (${attempt})` : ""}  `;
  const importance = level === "info" ? "" : `${paint(LEVEL_COLOURS[level], level)}  `;
  return `${paint("gray", moment(at))}  ${importance}${paint("cyan", where)}${plain(message)}  ${paint("gray", valueText(data))}`.trimEnd();
}

/** NDJSON with `--json`: a log line is a line. */
async function followLog(session: Session, runId: string, q: string | undefined): Promise<void> {
  const place: Place = { cursor: undefined, last: 0 };
  for await (const _ of untilEnd(session, runId, { everyMs: EVERY_MS })) await printNew(session, runId, q, place);
}

interface Place {
  /** Of the page that is read next: it may have lines that were printed. */
  cursor: string | undefined;
  /** The number of the last printed line. */
  last: number;
}

async function printNew({ client, screen }: Session, runId: string, q: string | undefined, place: Place) {
  for (;;) {
    const given = { runId, q, limit: PAGE, cursor: place.cursor };
    const { lines, nextCursor }: RunLogResponse = await client.read("/v1/runs/{runId}/logs", given);
    for (const line of lines) {
      if (Number(line.id) <= place.last) continue;
      screen.entry(line, (one) => lineText(screen, one));
      place.last = Number(line.id);
    }
    if (nextCursor === null) return;
    place.cursor = nextCursor;
  }
}
