import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineSchedule, type Schedule } from "../../engine/schedules/schedule";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { poolDb } from "../../store/db";
import { lockSchedule, pauseSchedule } from "../../store/schedules/change-schedule";
import type { LockedSchedule } from "../../store/schedules/schedule-rows";
import { syncSchedules } from "../../store/schedules/sync-schedules";
import { registerWorker } from "../../store/workers/workers";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { fireDueSchedules } from "./fire-schedules";

const engine = anEngine();
afterEach(() => vi.useRealTimers());

const HOUR = 3_600_000;
const input = z.object({ region: z.string() });
const report = defineWorkflow({ name: "report", input }, async (ctx) => ({
  at: ctx.run.scheduledAt,
  tag: ctx.run.tags.schedule,
}));
const ever = defineWorkflow({ name: "ever", input }, (ctx) => ctx.sleep("long", "30d"));

let names = 0;
/** An hourly schedule with a unique name, registered in the database. */
async function aSchedule(given: Partial<Parameters<typeof defineSchedule<typeof input>>[0]> = {}): Promise<Schedule> {
  const hourly = { name: `hourly-${++names}`, workflow: report, everyMs: HOUR, input: { region: "eu" } };
  const schedule = defineSchedule({ ...hourly, ...given } as Parameters<typeof defineSchedule<typeof input>>[0]);
  await syncSchedules(engine.db, [schedule]);
  return schedule;
}

/** As if no worker had checked for so long; returns the first nominal time that was missed. */
async function unseenFor({ name }: Schedule, hours: number): Promise<Date> {
  const [row] = await engine.rows<{ nominal_at: Date }>(
    `update handrail.schedule set nominal_at = date_trunc('hour', clock_timestamp()) - $2 * interval '1 h',
      look_at = date_trunc('hour', clock_timestamp()) - $2 * interval '1 h' where name = $1 returning nominal_at`,
    [name, hours],
  );
  return row?.nominal_at as Date;
}

/** A worker that only fires schedules. */
async function aScheduler(schedules: Schedule[], workflows: Workflow[] = [report, ever]) {
  const worker = { name: "scheduler", concurrency: 1, leaseMs: 60_000 };
  const id = await registerWorker(engine.db, {
    ...worker,
    workflows: workflows.map(({ name }) => name),
    schedules: schedules.map(({ name }) => name),
  });
  const byName = new Map(workflows.map((workflow) => [workflow.name, workflow]));
  return () => fireDueSchedules(poolDb(engine.database.pool), id, byName, TEST_AUDIT_KEYS);
}

const firingsOf = ({ name }: Schedule) =>
  engine.rows<{ status: string; reason: string | null; nominal_at: Date; run_id: string | null }>(
    "select * from handrail.firing where schedule = $1 order by nominal_at",
    [name],
  );
const runsOf = ({ name }: Schedule) =>
  engine.rows<{ id: string; scheduled_at: Date; status: string; tags: object }>(
    "select * from handrail.run where schedule = $1 order by scheduled_at, id",
    [name],
  );
const nominalOf = async ({ name }: Schedule) => {
  const [row] = await engine.rows<{ nominal_at: Date }>("select * from handrail.schedule where name = $1", [name]);
  return row?.nominal_at as Date;
};
const end = (runId: string | undefined) =>
  engine.rows(
    `update handrail.run set status = 'completed', epoch = epoch + 1, output = '1', due_at = null, worker_id = null,
      waiting_kind = null, finished_at = clock_timestamp() where id = $1`,
    [runId],
  );

it("a worker fires a schedule at its times, and each run knows its time", async () => {
  const schedule = await aSchedule({ everyMs: 1_000, overlap: "allow" });
  await engine.worker([report, ever], { schedules: [schedule], leaseMs: 20_000 });
  const runs = await until("Three runs", async () => {
    const ended = (await runsOf(schedule)).filter(({ status }) => status === "completed");
    return ended.length >= 3 && ended;
  });
  const times = runs.map(({ scheduled_at }) => scheduled_at.getTime());
  expect(times.every((time) => time % 1_000 === 0)).toBe(true);
  expect(new Set(times).size).toBe(times.length);
  const { run } = await engine.historyOf(runs[0]?.id as string);
  expect(run.output).toEqual({ at: runs[0]?.scheduled_at, tag: schedule.name });
});

it("ten schedulers at once fire a nominal time once", async () => {
  const schedule = await aSchedule();
  await unseenFor(schedule, 0);
  const schedulers = await Promise.all(Array.from({ length: 10 }, () => aScheduler([schedule])));
  const rounds = await Promise.all(schedulers.map((fire) => fire()));
  expect(rounds.flatMap(({ started }) => started)).toHaveLength(1);
  expect(await runsOf(schedule)).toHaveLength(1);
});

it("a nominal time that has its run gets no second one, even if no firing is recorded", async () => {
  const schedule = await aSchedule();
  const fire = await aScheduler([schedule]);
  await unseenFor(schedule, 0);
  await fire();
  await unseenFor(schedule, 0);
  expect((await fire()).started).toEqual([]);
  expect(await runsOf(schedule)).toHaveLength(1);
});

it("the database's clock counts: a worker's clock may be wrong by an hour", async () => {
  const schedule = await aSchedule();
  const fire = await aScheduler([schedule]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * HOUR });
  expect((await fire()).started).toEqual([]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 4 * HOUR });
  const nominalAt = await unseenFor(schedule, 0);
  expect((await fire()).started).toHaveLength(1);
  expect((await runsOf(schedule))[0]?.scheduled_at).toEqual(nominalAt);
});

it("a worker skips schedules that its code does not define, and those whose workflow it lacks", async () => {
  const [unknown, lacking] = [await aSchedule(), await aSchedule({ workflow: ever })];
  await unseenFor(unknown, 0);
  await unseenFor(lacking, 0);
  const fire = await aScheduler([lacking], [report]);
  expect(await fire()).toEqual({ started: [], cancelled: [], nextInMs: null });
  const capable = await aScheduler([unknown, lacking]);
  expect((await capable()).started).toHaveLength(2);
});

it("an input that no longer fits is refused visibly, and the schedule continues", async () => {
  const schedule = await aSchedule({ input: { region: 7 } as never });
  await unseenFor(schedule, 0);
  await (await aScheduler([schedule]))();
  expect(await firingsOf(schedule)).toMatchObject([{ status: "refused", run_id: null }]);
  expect((await firingsOf(schedule))[0]?.reason).toMatch(/does not fit workflow "report"/);
  expect((await nominalOf(schedule)).getTime()).toBeGreaterThan(Date.now());
});

describe("missed times", () => {
  it("last: the last one is fired, the others are recorded as missed", async () => {
    const schedule = await aSchedule({ missed: "last" });
    const first = await unseenFor(schedule, 5);
    await (await aScheduler([schedule]))();
    expect(await firingsOf(schedule)).toMatchObject([
      { status: "missed", nominal_at: first },
      { status: "started", nominal_at: new Date(first.getTime() + 5 * HOUR) },
    ]);
  });

  it("all: each within the window is fired", async () => {
    const schedule = await aSchedule({ missed: "all", overlap: "allow", missedWindowMs: 3 * HOUR });
    const first = await unseenFor(schedule, 5);
    await (await aScheduler([schedule]))();
    const [missed, ...started] = await firingsOf(schedule);
    expect(missed).toMatchObject({ status: "missed", nominal_at: first });
    // Two or three of the full hours lie within the last three hours: five minutes past, three; on the hour, four.
    expect(started.length).toBeGreaterThanOrEqual(3);
    expect(started.every(({ status }) => status === "started")).toBe(true);
  });

  it("skip: none is fired", async () => {
    const schedule = await aSchedule({ missed: "skip", cron: "0 0 1 1 *", everyMs: undefined } as never);
    await engine.rows(
      "update handrail.schedule set nominal_at = '2020-01-01T00:00Z', look_at = '2020-01-01T00:00Z' where name = $1",
      [schedule.name],
    );
    expect((await (await aScheduler([schedule]))()).started).toEqual([]);
    expect(await firingsOf(schedule)).toMatchObject([{ status: "missed" }]);
  });
});

describe("while an earlier run has not ended", () => {
  // A busy machine may miss seconds.
  const statuses = async (schedule: Schedule) =>
    (await firingsOf(schedule)).map(({ status }) => status).filter((status) => status !== "missed");
  const again = ({ name }: Schedule) =>
    engine.rows("update handrail.schedule set look_at = clock_timestamp() where name = $1", [name]);

  async function withActive(overlap: Schedule["spec"]["overlap"]) {
    const schedule = await aSchedule({ workflow: ever, overlap, everyMs: 1_000 });
    const fire = await aScheduler([schedule]);
    const next = async () => {
      await until("The next second", async () => (await nominalOf(schedule)).getTime() <= Date.now());
      return fire();
    };
    await next();
    return { schedule, fire, next, first: (await runsOf(schedule))[0]?.id };
  }

  it("skip leaves the new one out", async () => {
    const { schedule, next } = await withActive("skip");
    await next();
    expect(await statuses(schedule)).toEqual(["started", "skipped"]);
  });

  it("allow starts both", async () => {
    const { schedule, next } = await withActive("allow");
    await next();
    expect(await statuses(schedule)).toEqual(["started", "started"]);
  });

  it("queue keeps one, and starts it when the earlier run has ended", async () => {
    const { schedule, fire, next, first } = await withActive("queue");
    await next();
    await next();
    expect(await statuses(schedule)).toEqual(["started", "queued", "skipped"]);
    await end(first);
    await again(schedule);
    await fire();
    expect((await statuses(schedule)).slice(0, 2)).toEqual(["started", "started"]);
    expect(await runsOf(schedule)).toHaveLength(2);
  });

  it("cancel ends the earlier run, with an audit row, and starts the later one after it", async () => {
    const { schedule, fire, next, first } = await withActive("cancel");
    expect((await next()).cancelled).toEqual([first]);
    expect((await engine.historyOf(first as string)).run.status).toBe("cancelled");
    expect(await engine.rows("select actor, act from handrail.audit where run_id = $1", [first])).toEqual([
      { actor: `schedule ${schedule.name}`, act: "cancel" },
    ]);
    await again(schedule);
    await fire();
    expect((await runsOf(schedule)).map(({ status }) => status)).toEqual(["cancelled", "pending"]);
  });

  it("cancel waits for a running run; a later time replaces the waiting one", async () => {
    const { schedule, next, first } = await withActive("cancel");
    const [worker] = await engine.rows<{ id: string }>("select max(id) as id from handrail.worker");
    await engine.rows("update handrail.run set status = 'running', epoch = epoch + 1, worker_id = $2 where id = $1", [
      first,
      worker?.id,
    ]);
    await next();
    await next();
    expect(await statuses(schedule)).toEqual(["started", "skipped", "queued"]);
    expect((await engine.historyOf(first as string)).run.cancel_requested_at).not.toBeNull();
    await engine.rows("update handrail.run set cancel_requested_at = null where id = $1", [first]);
    await end(first);
  });
});

describe("a worker's definition", () => {
  it("changes nothing if it is the same; a new one applies its times from now on", async () => {
    const schedule = await aSchedule();
    const nominal = await unseenFor(schedule, 2);
    await syncSchedules(engine.db, [schedule]);
    expect(await nominalOf(schedule)).toEqual(nominal);
    const daily = { ...schedule, spec: { ...schedule.spec, timing: { cron: "0 3 * * *", timeZone: "UTC" } } };
    await syncSchedules(engine.db, [daily]);
    expect((await nominalOf(schedule)).getTime()).toBeGreaterThan(Date.now());
  });

  it("keeps a person's overrides", async () => {
    const schedule = await aSchedule();
    const override = { timing: { cron: "0 4 * * *", timeZone: "UTC" } };
    await engine.rows(`update handrail.schedule set "override" = $2 where name = $1`, [schedule.name, override]);
    const nominal = await nominalOf(schedule);
    const daily = { ...schedule, spec: { ...schedule.spec, timing: { cron: "0 3 * * *", timeZone: "UTC" } } };
    await syncSchedules(engine.db, [daily]);
    expect(await nominalOf(schedule)).toEqual(nominal);
  });

  it("is applied once by many workers that start together", async () => {
    const schedules = Array.from({ length: 20 }, (_, index) =>
      defineSchedule({ name: `at-once-${index}`, workflow: report, everyMs: HOUR, input: { region: "eu" } }),
    );
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        syncSchedules(engine.db, index % 2 ? schedules : [...schedules].reverse()),
      ),
    );
    const rows = await engine.rows("select from handrail.schedule where name like 'at-once-%'");
    expect(rows).toHaveLength(20);
  });
});

it("a schedule whose singleton key an open transaction takes delays no other, and is fired after it", async () => {
  const alone = defineWorkflow({ name: "alone", input, singleton: {} }, (ctx) => ctx.sleep("long", "30d"));
  const held = await aSchedule({ workflow: alone, overlap: "allow" });
  const others = [await aSchedule(), await aSchedule()];
  const earlier = await aSchedule({ workflow: alone });
  const fire = await aScheduler([held, earlier, ...others], [report, alone]);
  await unseenFor(earlier, 0);
  const [first] = (await fire()).started;
  await end(first);
  await unseenFor(held, 0);
  for (const other of others) await unseenFor(other, 0);
  const client = await engine.database.pool.connect();
  try {
    await client.query("begin");
    await client.query(
      `insert into handrail.run (id, workflow, version, input, singleton_key)
        select gen_random_uuid(), workflow, version, input, singleton_key from handrail.run where id = $1`,
      [first],
    );
    const round = await fire();
    expect(round.started).toHaveLength(2);
    expect(round.nextInMs).toBeGreaterThan(0);
    for (const other of others) expect(await runsOf(other)).toHaveLength(1);
    expect(await firingsOf(held)).toEqual([]);
    expect((await fire()).started, "still held back").toEqual([]);
    await client.query("rollback");
  } finally {
    client.release(true);
  }
  expect((await fire()).started).toHaveLength(1);
  expect(await runsOf(held)).toHaveLength(1);
});

it("a schedule that is being paused is skipped, and not fired", async () => {
  const schedule = await aSchedule();
  await unseenFor(schedule, 0);
  const fire = await aScheduler([schedule]);
  await engine.db.transaction(async (tx) => {
    await pauseSchedule(tx, (await lockSchedule(tx, schedule.name)) as LockedSchedule);
    expect((await fire()).started).toEqual([]);
  });
  expect((await fire()).started).toEqual([]);
  expect(await firingsOf(schedule)).toEqual([]);
});
