import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflows/workflow";
import { anEngine } from "../testing/workers/engine";
import { pinoCapture } from "./logs";

const engine = anEngine();
const input = z.object({ who: z.string().default("one") });
const kept = (runId: string) =>
  engine.rows<{ step: string; level: string; message: string; data: string | null }>(
    "select step, level, message, data from handrail.log where run_id = $1 order by id",
    [runId],
  );
const out = vi.spyOn(console, "log").mockImplementation(() => undefined);
afterEach(() => out.mockClear());

it("what bodies write by console is kept with their own run, is written as before, and nothing outside of bodies is", async () => {
  const workflow = defineWorkflow(
    { name: "captured-console", input, captureLogs: { console: true } },
    async (ctx, { who }) => {
      console.log("between steps of", who);
      await ctx.step("work", async () => {
        console.log("hello from", who, { nested: { n: 1 } });
        await delay(20);
        console.debug("too little");
        console.warn(`still ${who}`);
        setTimeout(() => console.log("after the body"), 50);
      });
      await ctx.step("wait", () => delay(100));
    },
  );
  const ids = await Promise.all(["one", "two"].map((who) => engine.start(workflow, { who })));
  await engine.worker([workflow]);
  for (const [place, id] of ids.entries()) {
    await engine.untilEnded(id);
    const who = ["one", "two"][place];
    expect(await kept(id)).toMatchObject([
      { step: "work", level: "info", message: `hello from ${who} { nested: { n: 1 } }` },
      { step: "work", level: "warn", message: `still ${who}` },
    ]);
  }
  expect(out).toHaveBeenCalledWith("hello from", "one", { nested: { n: 1 } });
});

it("nothing is captured unless a workflow asks for it, and hostile values never reach the app", async () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const log = () => {
    console.log("a cycle", cycle);
    console.log("x".repeat(1_000_000));
    console.log({
      [Symbol.for("nodejs.util.inspect.custom")]() {
        throw new Error("hostile");
      },
    });
  };
  const asks = defineWorkflow({ name: "captured-odd", input, captureLogs: { console: true } }, (ctx) =>
    ctx.step("a", log),
  );
  const silent = defineWorkflow({ name: "captured-not", input }, (ctx) => ctx.step("a", log));
  const [{ run: odd }, { run: not }] = [await engine.runToEnd(asks), await engine.runToEnd(silent)];
  expect([odd.status, not.status]).toEqual(["completed", "completed"]);
  const lines = await kept(odd.id);
  expect(lines[0]?.message).toMatch(/a cycle <ref \*1> .*Circular/);
  expect(lines[1]?.message).toHaveLength(2_000);
  expect(lines).toHaveLength(2);
  expect(await kept(not.id)).toEqual([]);
});

it("a logger of pino keeps its level and fields, as its own redaction leaves them", async () => {
  const written: string[] = [];
  const logger = pino(
    { level: "debug", redact: ["card"] },
    pino.multistream([
      { level: "debug", stream: { write: (line: string) => void written.push(line) } },
      { level: "debug", stream: pinoCapture() },
    ]),
  );
  const workflow = defineWorkflow({ name: "captured-pino", input, captureLogs: { level: "debug" } }, (ctx) =>
    ctx.step("a", () => {
      logger.child({ order: 7 }).error({ card: "4242" }, "declined");
      logger.debug("detail");
    }),
  );
  const { run } = await engine.runToEnd(workflow);
  expect(await kept(run.id)).toMatchObject([
    { level: "error", message: "declined", data: '{"order":7,"card":"[Redacted]"}' },
    { level: "debug", message: "detail", data: null },
  ]);
  logger.info("outside");
  expect(written).toHaveLength(3);
});

it("a line has the level that its code gives it, and info for any other", async () => {
  const workflow = defineWorkflow({ name: "log-levels", input }, async (ctx) => {
    ctx.log("plain");
    ctx.log("bad", undefined, "error");
    await ctx.step("a", ({ log }) => log("odd", { n: 1 }, "loud" as never));
  });
  const { run } = await engine.runToEnd(workflow);
  expect((await kept(run.id)).map(({ level }) => level)).toEqual(["info", "error", "info"]);
});
