import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { type Change, changeChannel } from "../../store/database/notify";
import { anEngine } from "../../testing/workers/engine";

/** Longer than any test: progress that is held back this long is not published. */
const NEVER_MS = 3_600_000;

const engine = anEngine();
let listener: pg.Client;
const urgent: string[] = [];
beforeAll(async () => {
  listener = new pg.Client({ connectionString: engine.database.url });
  await listener.connect();
  await listener.query(`listen ${changeChannel()}`);
  listener.on("notification", ({ payload = "" }) => {
    const change = JSON.parse(payload) as Change;
    if (change.urgent) urgent.push(...change.runIds);
  });
});
beforeEach(() => {
  urgent.length = 0;
});
afterAll(() => listener.end());

const input = z.unknown();
const completes = defineWorkflow({ name: "completes", input }, (ctx) => ctx.step("one", () => 1));
const fails = defineWorkflow({ name: "fails", input, retry: { maxAttempts: 1 } }, (ctx) =>
  ctx.step("one", () => {
    throw new Error("no");
  }),
);
const compensates = defineWorkflow(
  { name: "compensates", input, onFailure: "compensate", retry: { maxAttempts: 1 } },
  async (ctx) => {
    await ctx.step("one", () => 1, { compensate: () => undefined });
    await ctx.step("two", () => {
      throw new Error("no");
    });
  },
);
const asks = defineWorkflow({ name: "asks", input }, (ctx) => ctx.approval("sure", { question: "Sure?" }));
const sleeps = defineWorkflow({ name: "sleeps", input }, (ctx) => ctx.sleep("long", "1d"));
const workflows = [completes, fails, compensates, asks, sleeps];

it.each([completes, fails, compensates, asks])("$name: heard at once, while progress is gathered", async (workflow) => {
  const { worker } = await engine.worker(workflows, { publishProgressMs: NEVER_MS });
  for (let n = 0; n < 2; n++) {
    const runId = await engine.start(workflow);
    worker.wake();
    await vi.waitFor(() => expect(urgent).toContain(runId), { timeout: 20_000 });
  }
});

it("a run that only sleeps is progress", async () => {
  await engine.worker(workflows, { publishProgressMs: NEVER_MS });
  const asleep = await engine.start(sleeps);
  await engine.untilResting(asleep);
  const runId = await engine.start(completes);
  await vi.waitFor(() => expect(urgent).toContain(runId), { timeout: 20_000 });
  expect(urgent).not.toContain(asleep);
});
