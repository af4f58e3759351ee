import { type Command, Option } from "commander";
import { newIdempotencyKey } from "../../../lib/api/client/client";
import { runFacts } from "../../output/run";
import { withSession } from "../../session/act";
import { durationMs, jsonValue, namedValue, wholeNumber } from "../../session/given";

interface Options {
  input: string;
  key?: string;
  at?: string;
  delay?: number;
  onVersion?: number;
  beginWithin?: number;
  endWithin?: number;
  priority?: number;
  tag?: Record<string, string>;
  header?: Record<string, string>;
}

export function addStartRun(runs: Command): void {
  runs
    .command("start <workflow>")
    .description("start a run")
    .option("--input <json>", "its input: JSON, @FILE, or - for stdin", "{}")
    .option("--key <key>", "its idempotency key: one run for one key and input")
    .option("--at <instant>", "not before, such as 2026-11-21T12:00:00Z")
    .addOption(new Option("--delay <duration>", "not before so long from now").argParser(durationMs))
    .addOption(
      new Option("--on-version <number>", "only by workers that have it").argParser(wholeNumber(1, 2 ** 31 - 1)),
    )
    .addOption(new Option("--begin-within <duration>", "cancel it if not begun by then").argParser(durationMs))
    .addOption(new Option("--end-within <duration>", "fail it if not ended by then").argParser(durationMs))
    .addOption(new Option("--priority <number>", "higher goes first").argParser(wholeNumber(-100, 100)))
    .addOption(new Option("--tag <name=value>", "a tag; can be given several times").argParser(namedValue))
    .addOption(new Option("--header <name=value>", "for its code; can be given several times").argParser(namedValue))
    .action(
      withSession(async ({ client, screen }, workflow: string, options: Options) => {
        const { key, at, delay, priority, tag, header } = options;
        const input = (await jsonValue(options.input, "--input")) as never;
        const { onVersion: version, beginWithin: beginWithinMs, endWithin: endWithinMs } = options;
        const limits = { version, beginWithinMs, endWithinMs };
        const request = {
          workflow,
          input,
          idempotencyKey: key,
          runAt: at,
          delayMs: delay,
          priority,
          tags: tag,
          headers: header,
          ...limits,
        };
        const run = await client.post("/v1/runs", {}, { request, idempotencyKey: newIdempotencyKey() });
        screen.answer(run, (started) => runFacts(screen, started));
      }),
    );
}
