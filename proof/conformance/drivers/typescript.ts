import { createInterface } from "node:readline";
import { createClient } from "../../../lib/client/client";
import {
  createHttpWorker,
  type HttpContext,
  type HttpStepBody,
  type HttpWorker,
  NonRetryableError,
  OutcomeUnknownError,
  RetryAfterError,
} from "../../../lib/client/http-worker";
import { fromJson, toJson } from "../../../lib/client/values";
import { gate } from "../../../lib/testing/until";
import type { Answer, BodyAct, Command, Line, Program, Report } from "../protocol";

/** The driver of `handrail/client` and `handrail/http-worker`: see protocol.ts. */

const url = process.argv[2] as string;
const client = createClient({ url });
const write = (line: Answer | Report) => process.stdout.write(`${JSON.stringify(line)}\n`);

const released = new Map<string, ReturnType<typeof gate>>();
const releaseOf = (step: string) => {
  const known = released.get(step) ?? gate();
  released.set(step, known);
  return known;
};

let worker: HttpWorker | undefined;
let calls = new Map<string, number>();

async function act(step: string, acts: BodyAct[], input: unknown, { idempotencyKey, signal }: HttpStepBody) {
  const call = (calls.get(step) ?? 0) + 1;
  calls.set(step, call);
  write({ body: step, key: idempotencyKey, call });
  const now = acts[Math.min(call, acts.length) - 1] as BodyAct;
  if ("die" in now) process.kill(process.pid, "SIGKILL");
  if ("fail" in now) throw now.afterMs === undefined ? new Error(now.fail) : new RetryAfterError(now.fail, now.afterMs);
  if ("final" in now) throw new NonRetryableError(now.final);
  if ("lost" in now) throw new OutcomeUnknownError(now.lost);
  if ("input" in now) return input;
  if ("depth" in now) return Array.from({ length: now.depth }).reduce<unknown>((inner) => [inner], null);
  if ("length" in now) return "x".repeat(now.length);
  if ("hold" in now) {
    // As a request does that is given the signal.
    const aborted = new Promise<never>((_, fail) =>
      signal.addEventListener("abort", () => fail(signal.reason), { once: true }),
    );
    await Promise.race([releaseOf(step).opened, aborted]);
    return fromJson(now.hold);
  }
  return fromJson("return" in now ? now.return : null);
}

async function perform(ctx: HttpContext, line: Line, input: unknown): Promise<[string, unknown]> {
  if ("fails" in line) throw new Error(line.fails);
  if ("sleep" in line) return [line.sleep, await ctx.sleep(line.sleep, line.ms)];
  if ("event" in line) {
    const { event, name, default: otherwise, ...rest } = line;
    const given = "default" in line ? { default: fromJson(otherwise) } : {};
    return [event, await ctx.waitForEvent(event, { event: name, ...rest, ...given })];
  }
  if ("approval" in line) {
    const { approval, ...rest } = line;
    return [approval, await ctx.approval(approval, rest)];
  }
  const { step, caught, bodies, reference, ...options } = line;
  const more = reference === undefined ? {} : { reference: () => reference };
  const output = ctx.step(step, (body) => act(step, bodies, input, body), { ...options, ...more });
  return [step, caught ? await output.catch((error: Error) => error.message) : await output];
}

const codeOf = (lines: Line[]) => async (ctx: HttpContext, input: unknown) => {
  const output: Record<string, unknown> = {};
  for (const line of lines) {
    const [name, value] = await perform(ctx, line, input);
    output[name] = value ?? null;
  }
  return output;
};

async function work(programs: Program[], leaseMs: number): Promise<void> {
  worker = createHttpWorker({ url, leaseMs, name: "conformance", concurrency: 5 });
  calls = new Map();
  released.clear();
  for (const { workflow, undos = [], code } of programs) {
    const compensations = undos.map((step) => {
      const undo = (_: unknown, { idempotencyKey }: { idempotencyKey: string }) =>
        void write({ body: step, key: idempotencyKey, call: 1, undo: true });
      return [step, undo] as const;
    });
    worker.workflow({ ...workflow, undos: Object.fromEntries(compensations) }, codeOf(code));
  }
  await worker.start();
}

async function carryOut(command: Command): Promise<unknown> {
  switch (command.do) {
    case "work":
      return work(command.programs, command.leaseMs);
    case "stop":
      return worker?.stop();
    case "release":
      return releaseOf(command.step).open(undefined);
    case "start": {
      const { workflow, input, idempotencyKey } = command;
      const how = idempotencyKey === undefined ? {} : { idempotencyKey };
      return (await client.start(workflow, fromJson(input), how)).id;
    }
    case "result":
      return toJson((await client.run(command.runId).result({ timeoutMs: command.timeoutMs })).output);
    case "send": {
      const { event, payload, eventId: id, runId, key } = command;
      const how = { ...(id && { id }), ...(runId && { runId }), ...(key && { key }) };
      return client.send(event, fromJson(payload), how);
    }
    case "cancel":
      return client.run(command.runId).cancel();
    case "status":
      return client.run(command.runId).status();
    case "list":
      return (await client.list({ workflow: [command.workflow] })).runs.map(({ id }) => id);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...command } = JSON.parse(line) as Command & { id: number };
  carryOut(command as Command).then(
    (ok) => write({ id, ok: ok ?? null }),
    (error: Error & { code?: string }) => write({ id, error: error.code ?? error.name, message: error.message }),
  );
}
process.exit(0);
