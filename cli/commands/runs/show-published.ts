import { type Command, Option } from "commander";
import { valueText } from "../../output/run";
import { withSession } from "../../session/act";
import { durationMs } from "../../session/given";
import { TimedOut } from "../../session/stops";

/** The longest that the API waits is a minute; proxies may have less patience. */
const EVERY_MS = 25_000;

export function addShowPublished(runs: Command): void {
  runs
    .command("published <run> <name>")
    .description("what a run's code has published under a name")
    .addOption(
      new Option("--timeout <duration>", "wait for it; exit code 5 after so long")
        .argParser(durationMs)
        .default(0, "0s"),
    )
    .action(
      withSession(async (session, runId: string, name: string, { timeout }: { timeout: number }) => {
        for (const until = performance.now() + timeout; ; ) {
          const waitMs = Math.ceil(Math.min(EVERY_MS, Math.max(until - performance.now(), 0)));
          const found = await session.client.read("/v1/runs/{runId}/published/{name}", { runId, name, waitMs });
          if (found.published) return session.screen.answer(found, ({ value }) => valueText(value));
          if (performance.now() >= until)
            throw new TimedOut(`Run ${runId} has published nothing under "${name}" yet: it is ${found.status}.`);
        }
      }),
    );
}
