import { type Command, Option } from "commander";
import { runFacts } from "../../output/run";
import { withSession } from "../../session/act";
import { durationMs } from "../../session/given";
import { exitOf, untilEnd } from "./until-end";

/** The longest that the API waits is a minute; proxies may have less patience. */
const EVERY_MS = 25_000;

export function addWaitForRun(runs: Command): void {
  runs
    .command("wait <run>")
    .description("wait for the end of a run; exit code 3 if it did not complete")
    .addOption(new Option("--timeout <duration>", "exit code 5 after so long").argParser(durationMs))
    .action(
      withSession(async (session, runId: string, { timeout }: { timeout?: number }) => {
        let last: Parameters<typeof runFacts>[1] | undefined;
        for await (const run of untilEnd(session, runId, { everyMs: EVERY_MS, timeoutMs: timeout })) last = run;
        if (!last) return;
        session.screen.answer(last, (run) => runFacts(session.screen, run));
        return exitOf(last);
      }),
    );
}
