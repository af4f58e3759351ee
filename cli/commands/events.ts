import type { Command } from "commander";
import { newIdempotencyKey } from "../../lib/api/client/client";
import { plain } from "../output/plain";
import { afterAction } from "../output/run";
import { withSession } from "../session/act";
import { jsonValue } from "../session/given";
import { UsageError } from "../session/stops";

interface Options {
  payload: string;
  key?: string;
  run?: string;
  id?: string;
  reason?: string;
}

export function addEvents(program: Command): void {
  program
    .command("events")
    .description("what runs wait for")
    .command("send <name>")
    .description("send an event to the runs that wait for its key, and to the workflows that begin with it")
    .option("--payload <json>", "JSON, @FILE, or - for stdin", "null")
    .option("--key <key>", "the business key that runs wait for")
    .option("--run <run>", "to this run alone")
    .option("--id <id>", "your own id: an event of one name and id counts once")
    .option("--reason <text>", "with --run: saved to the audit log")
    .action(
      withSession(async ({ client, screen }, name: string, { key, run: runId, id, reason, ...given }: Options) => {
        const event = { name, payload: (await jsonValue(given.payload, "--payload")) as never, id };
        const idempotencyKey = newIdempotencyKey();
        if (runId === undefined) {
          const sent = await client.post("/v1/events", {}, { request: { ...event, key }, idempotencyKey });
          return screen.answer(sent, ({ id: sentId, created }) =>
            created ? `Sent ${plain(name)} ${plain(sentId)}` : `Already sent ${plain(name)} ${plain(sentId)}`,
          );
        }
        if (key !== undefined) throw new UsageError("Give --run or --key, not both.");
        const sending = { request: { ...event, reason }, idempotencyKey };
        const run = await client.post("/v1/runs/{runId}/events", { runId }, sending);
        screen.answer(run, (after) => afterAction(screen, `Sent ${plain(name)} to`, after));
      }),
    );
}
