import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { appServices } from "../../demo/services/app-services";
import { defineSchedule } from "../engine/schedules/schedule";
import { defineWorkflow } from "../engine/workflows/workflow";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { expectInvariants } from "../testing/database/invariants";
import { callWitness } from "../testing/database/witness";
import { fileText, snippetsOf } from "../testing/doc-snippets";
import { type RunRecording, replayRun } from "./replay-run";
import { TestEngine } from "./test-engine";

// --- what docs/testing-workflows.md shows

const sent: string[] = [];
const services = {
  ...appServices,
  mail: {
    send: async ({ subject }: { subject: string }) => {
      sent.push(subject);
      return { messageId: `<${sent.length}@test>` };
    },
  },
};

const trial = defineWorkflow({ name: "trial", input: z.object({ email: z.email() }) }, async (ctx, { email: to }) => {
  const { mail } = ctx.services;
  await ctx.step("welcome", ({ idempotencyKey }) => mail.send({ to, subject: "Welcome", text: "" }, idempotencyKey));
  await ctx.sleep("trial-period", "400d");
  await ctx.step("goodbye", ({ idempotencyKey }) => mail.send({ to, subject: "Goodbye", text: "" }, idempotencyKey));
});

let database: TestDatabase;
let engine: TestEngine;
beforeAll(async () => {
  database = await createTestDatabase();
  await callWitness(database.pool);
  engine = await TestEngine.start({
    databaseUrl: database.url,
    workflows: [
      ...[trial, deaf, retried, twice, adopts, rows, oneByOne, twiceADay, callsTwiceADay, ends],
      ...[onceADay, reminders, named],
    ],
    services,
  });
});
afterAll(async () => {
  await engine.stop();
  await expectInvariants(database.pool);
  await database.drop();
});

it("says goodbye after 400 days, and not earlier", async () => {
  const runId = await engine.start(trial, { email: "new@example.com" });
  await engine.advance("399d");
  expect(await engine.run(runId)).toMatchObject({ status: "waiting", waitingFor: { kind: "timer" } });
  await engine.advance("1d");
  expect(await engine.run(runId)).toMatchObject({ status: "completed" });
  expect(sent).toEqual(["Welcome", "Goodbye"]);
});

it("continues where a worker died", async () => {
  const runId = await engine.start(trial, { email: "new@example.com" });
  engine.dieAt("step:after-body", "welcome");
  await engine.advance("400d");
  expect(engine.deaths).toBe(1);
  const { status, steps } = await engine.run(runId);
  expect(status).toBe("completed");
  expect(steps.map(({ name, attempt }) => `${name} ${attempt}`)).toEqual(["welcome 1", "trial-period 1", "goodbye 1"]);
});

const recording: RunRecording = {
  id: "019aa5e0-0000-7000-8000-000000000001",
  workflow: "trial",
  version: 1,
  generation: 1,
  createdAt: "2026-11-21T12:00:00.000Z",
  scheduledAt: null,
  tags: {},
  input: { email: "(masked)" },
  steps: [
    { name: "welcome", kind: "step", place: 1, output: { messageId: "<1@test>" } },
    { name: "trial-period", kind: "sleep", place: 2, output: null },
  ],
};

it("trial replays a run that waits for its goodbye", async () => {
  expect(await replayRun([trial], recording)).toEqual({
    steps: recording.steps.map(({ name, kind }) => ({ name, kind })),
    gone: [],
    next: ["goodbye"],
    end: { status: "open" },
  });
});

// --- the rest

const input = z.object({});
let blows = 0;
const deaf = defineWorkflow({ name: "deaf", input, retry: { maxAttempts: 9, jitter: 0 } }, (ctx) =>
  ctx.step("blow", () => {
    if (++blows < 9) throw new Error("no answer");
    return blows;
  }),
);
const retried = defineWorkflow({ name: "retried", input }, async (ctx) => {
  for (let day = 1; day <= 30; day++) await ctx.sleep(`day:${day}`, "1d");
  return "a month";
});
const twice = defineWorkflow({ name: "twice", input }, async (ctx) => {
  await Promise.all([ctx.sleep("long", "2d"), ctx.sleep("short", "1d").then(() => ctx.step("between", () => 1))]);
});
let calls = 0;
const adopts = defineWorkflow({ name: "adopts", input }, (ctx) =>
  ctx.transaction("insert", async (tx) => void (await tx.query("insert into kit values ($1)", [++calls])), {
    client: "pg",
  }),
);
const rows = defineWorkflow({ name: "rows", input }, async (ctx) => {
  await ctx.step("slow", () => delay(30, "slow"));
  throw new Error("on purpose");
});

const ends = defineWorkflow({ name: "ends", input: z.object({ runId: z.string() }) }, async (ctx, { runId }) => {
  await ctx.cancelRun("cancel", runId);
  await ctx.sleep("day", "1d");
});

const queued = z.object({ key: z.string() });
let slips = 0;
const oneByOne = defineWorkflow(
  { name: "one-by-one", input: queued, concurrency: { limit: 1, key: ({ key }) => key } },
  (ctx) =>
    ctx.step(
      "slip",
      () => {
        if (++slips % 2 === 1) throw new Error("slipped");
        return "done";
      },
      { retry: { maxAttempts: 2, initialDelayMs: 60_000, jitter: 0 } },
    ),
);
const twiceADay = defineWorkflow(
  { name: "twice-a-day", input: queued, rateLimit: { limit: 2, perMs: 86_400_000, key: ({ key }) => key } },
  async () => "done",
);

const callsTwiceADay = defineWorkflow({ name: "calls-twice-a-day", input }, (ctx) =>
  ctx.step("call", () => "done", { limit: { name: "of-a-day", rateLimit: { limit: 2, perMs: 86_400_000 } } }),
);

const DAY_MS = 86_400_000;
const onceADay = defineWorkflow(
  { name: "once-a-day", input, rateLimit: { limit: 1, perMs: DAY_MS } },
  async () => "done",
);
const daysBefore = (at: Date, days: number) => new Date(at.getTime() - days * DAY_MS);
const reminders = defineWorkflow({ name: "reminders", input: z.object({ at: z.date() }) }, async (ctx, { at }) => {
  await ctx.sleepUntil("a-week-before", daysBefore(at, 7));
  await ctx.sleepUntil("a-day-before", daysBefore(at, 1));
  return ctx.now();
});
const named = defineWorkflow({ name: "named", input }, async (ctx) => {
  await ctx.step(`of:${ctx.run.createdAt.toISOString()}`, () => 1);
  await ctx.sleep("two-days", "2d");
});

it("this file has every snippet of the page", () => {
  const here = fileText(import.meta.url);
  const snippets = snippetsOf("testing-workflows.md");
  expect(snippets.length).toBeGreaterThan(2);
  for (const snippet of snippets) expect(here).toContain(snippet);
});

describe("the clock", () => {
  it("advances from timer to timer, so that later ones are due at their times", async () => {
    const runId = await engine.start(retried, {});
    await engine.advance("29d 23h");
    expect(await engine.run(runId)).toMatchObject({ status: "waiting", waitingFor: { step: "day:30" } });
    await engine.advance("1h");
    expect(await engine.run(runId)).toMatchObject({ status: "completed", output: "a month" });
  });

  it("makes retries due", async () => {
    const runId = await engine.start(deaf, {});
    await engine.drain();
    expect(await engine.run(runId)).toMatchObject({ status: "waiting", waitingFor: { kind: "retry", step: "blow" } });
    await engine.advance("10m");
    expect(await engine.run(runId)).toMatchObject({ status: "completed", output: 9 });
  });

  it("a retry whose turn in its queue has come is not at rest", async () => {
    for (let run = 0; run < 10; run++) {
      const runId = await engine.start(oneByOne, { key: `${run}` });
      await engine.drain();
      expect(await engine.run(runId)).toMatchObject({ status: "waiting", waitingFor: { kind: "retry" } });
      await engine.advance("1m");
      expect(await engine.run(runId)).toMatchObject({ status: "completed" });
    }
  });

  it("a run beyond its rate is at rest until its queue opens", async () => {
    const ids: string[] = [];
    for (let run = 0; run < 3; run++) ids.push(await engine.start(twiceADay, { key: "one" }));
    const statuses = () => Promise.all(ids.map(async (id) => (await engine.run(id)).status));
    await engine.drain();
    expect(await statuses()).toEqual(["completed", "completed", "pending"]);
    await engine.advance("23h");
    expect(await statuses()).toEqual(["completed", "completed", "pending"]);
    await engine.advance("2h");
    expect(await statuses()).toEqual(["completed", "completed", "completed"]);
  });

  it("a step beyond the rate of its limit is at rest until the period has room", async () => {
    const ids: string[] = [];
    for (let run = 0; run < 3; run++) ids.push(await engine.start(callsTwiceADay, {}));
    const waits = async () =>
      (await Promise.all(ids.map((id) => engine.run(id)))).filter(({ waitingFor }) => waitingFor?.kind === "permit");
    await engine.drain();
    expect(await waits()).toHaveLength(1);
    await engine.advance("23h");
    expect(await waits()).toHaveLength(1);
    await engine.advance("2h");
    expect(await waits()).toHaveLength(0);
    for (const id of ids) expect(await engine.run(id)).toMatchObject({ status: "completed" });
  });

  it("fires only due timers", async () => {
    const runId = await engine.start(twice, {});
    await engine.advance("25h");
    expect(await engine.run(runId)).toMatchObject({
      status: "waiting",
      steps: [{ name: "long", status: "waiting" }, { status: "completed" }, { name: "between", status: "completed" }],
    });
    await engine.advance("1d");
    expect(await engine.run(runId)).toMatchObject({ status: "completed" });
  });

  it("ends a run that is not begun in time", async () => {
    const first = await engine.start(onceADay, {});
    const second = await engine.start(onceADay, {}, { beginWithinMs: 3_600_000 });
    await engine.drain();
    expect([(await engine.run(first)).status, (await engine.run(second)).status]).toEqual(["completed", "pending"]);
    await engine.advance("2h");
    expect(await engine.run(second)).toMatchObject({ status: "cancelled", error: { code: "start_expired" } });
  });

  it("moves the dates of the workflow's code along", async () => {
    const at = daysBefore(engine.now(), -10);
    const runId = await engine.start(reminders, { at });
    await engine.advance("8d");
    expect(await engine.run(runId)).toMatchObject({ waitingFor: { step: "a-day-before" } });
    await engine.advance("1d");
    const { status, output } = await engine.run(runId);
    expect(status).toBe("completed");
    expect((output as Date).getTime()).toBeGreaterThanOrEqual(daysBefore(at, 1).getTime());
    expect((output as Date).getTime()).toBeLessThan(at.getTime());
  });

  it("leaves a run's createdAt as it was", async () => {
    const runId = await engine.start(named, {});
    await engine.advance("2d");
    const { status, steps } = await engine.run(runId);
    expect([status, steps.length]).toEqual(["completed", 2]);
  });

  it("begins a run at its runAt", async () => {
    const runId = await engine.start(rows, {}, { runAt: daysBefore(engine.now(), -2) });
    await engine.advance("47h");
    expect(await engine.run(runId)).toMatchObject({ steps: [] });
    await engine.advance("1h");
    expect((await engine.run(runId)).status).toBe("failed");
  });

  it.each([
    ["every day since 1970", { everyMs: DAY_MS, missed: "all", overlap: "allow" }],
    ["each midnight", { cron: "0 0 * * *", timeZone: "UTC" }],
  ] as const)("fires a schedule of %s", async (_, timing) => {
    const own = await createTestDatabase();
    const nightly = defineWorkflow({ name: "nightly", input }, async (ctx) => ctx.run.scheduledAt);
    const schedules = [defineSchedule({ name: "nightly", workflow: nightly, input: {}, ...timing })];
    const began = Date.now();
    const nights = await TestEngine.start({ databaseUrl: own.url, workflows: [nightly], schedules });
    try {
      await nights.advance("3d");
      const { rows } = await own.pool.query<{ id: string }>("select id from handrail.run order by scheduled_at");
      const outputs = await Promise.all(rows.map(async ({ id }) => (await nights.run(id)).output));
      const first = Math.ceil(began / DAY_MS) * DAY_MS;
      expect(outputs).toEqual([0, 1, 2].map((night) => new Date(first + night * DAY_MS)));
    } finally {
      await nights.stop();
      await own.drop();
    }
  });

  it("runs only forward", async () => {
    await expect(engine.advance(-1)).rejects.toMatchObject({ code: "invalid_value" });
  });
});

describe("a worker that dies", () => {
  it.each(["transaction:before-commit", "transaction:after-commit"] as const)(
    "at %s leaves the rows of its transaction once",
    async (point) => {
      await database.pool.query("create table if not exists kit (n int)");
      await database.pool.query("truncate kit");
      const deaths = engine.deaths;
      const runId = await engine.start(adopts, {});
      engine.dieAt(point);
      await engine.drain();
      expect(engine.deaths).toBe(deaths + 1);
      expect(await engine.run(runId)).toMatchObject({ status: "completed" });
      expect((await database.pool.query("select from kit")).rowCount).toBe(1);
    },
  );

  it.each(["claim:before", "claim:after", "flush:before", "run:before-end", "run:after-end"] as const)(
    "at %s is followed by another",
    async (point) => {
      const deaths = engine.deaths;
      const runId = await engine.start(rows, {});
      engine.dieAt(point);
      await engine.drain();
      expect(engine.deaths).toBe(deaths + 1);
      await engine.advance("1h");
      expect(await engine.run(runId)).toMatchObject({ status: "failed", error: { message: "on purpose" } });
    },
  );
});

it("time passes beside the audit log, whose rows nobody changes", async () => {
  const other = await engine.start(trial, { email: "gone@example.com" });
  await engine.drain();
  const runId = await engine.start(ends, { runId: other });
  await engine.advance("1d");
  expect((await engine.run(other)).status).toBe("cancelled");
  expect((await engine.run(runId)).status).toBe("completed");
});
