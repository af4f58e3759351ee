import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineSchedule } from "../engine/schedules/schedule";
import { defineWorkflow } from "../engine/workflows/workflow";
import { poolDb } from "../store/db";
import { syncSchedules } from "../store/schedules/sync-schedules";
import { registerWorker } from "../store/workers/workers";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { expectInvariants } from "../testing/database/invariants";
import { callWitness } from "../testing/database/witness";
import { until } from "../testing/until";
import { createHandrail } from "./handrail";

const report = defineWorkflow(
  { name: "tenant-report", input: z.object({ tenant: z.string() }) },
  async (ctx, given) => [given.tenant, ctx.run.tags.schedule],
);
const handrail = createHandrail({ workflows: [report] });
const HOUR = 3_600_000;
const options = (name: string, given: object = {}) => ({
  ...{ name, workflow: report, everyMs: HOUR, input: { tenant: "acme" } },
  ...given,
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await callWitness(database.pool);
  vi.stubEnv("DATABASE_URL", database.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await handrail.close();
  await expectInvariants(database.pool);
  await database.drop();
});

const rows = async <Row>(text: string, values: unknown[] = []) =>
  (await database.pool.query(text, values)).rows as Row[];
const auditOf = (name: string) =>
  rows<{ act: string; result: string }>("select act, result from handrail.audit where schedule = $1 order by id", [
    name,
  ]);
const runsOf = (name: string) => rows<{ id: string }>("select id::text from handrail.run where schedule = $1", [name]);
const done = { result: "done" };

describe("a schedule made at run time", () => {
  it("is made once, changed, and removed; each change is audited once", async () => {
    const first = await handrail.schedules.put(options("acme"), { reason: "a new tenant" });
    expect(first).toMatchObject({
      created: true,
      schedule: { name: "acme", atRunTime: true, timing: { everyMs: HOUR } },
    });
    // As after a lost answer.
    const again = await handrail.schedules.put(options("acme"));
    expect(again).toMatchObject({ created: false, schedule: { revision: first.schedule.revision } });
    const changed = await handrail.schedules.put(options("acme", { everyMs: 2 * HOUR }));
    expect(changed).toMatchObject({ created: false, schedule: { timing: { everyMs: 2 * HOUR } } });
    expect((await handrail.schedules.get("acme")).timing).toEqual({ everyMs: 2 * HOUR });
    expect((await handrail.schedules.list()).schedules.map(({ name }) => name)).toContain("acme");
    expect(await handrail.schedules.remove("acme")).toBe(true);
    expect(await handrail.schedules.remove("acme")).toBe(false);
    await expect(handrail.schedules.get("acme")).rejects.toMatchObject({ code: "unknown_schedule" });
    expect(await auditOf("acme")).toMatchObject([
      { act: "schedule_put", ...done },
      { act: "schedule_put", ...done },
      { act: "schedule_remove", ...done },
    ]);
  });

  it("of ten puts at once one makes it", async () => {
    const puts = await Promise.all(Array.from({ length: 10 }, () => handrail.schedules.put(options("at-once"))));
    expect(puts.filter(({ created }) => created)).toHaveLength(1);
    expect(await auditOf("at-once")).toHaveLength(1);
  });

  it.each<[string, object, string]>([
    ["an input that does not fit", { input: { tenant: 1 } }, "invalid_input"],
    ["a cron expression that is none", { everyMs: undefined, cron: "often" }, "invalid_schedule"],
    ["a name that is none", { name: "Of Acme" }, "invalid_schedule"],
  ])("is refused before anything is written: %s", async (_, given, code) => {
    const before = await rows("select from handrail.schedule");
    await expect(handrail.schedules.put(options("wrong", given) as never)).rejects.toMatchObject({ code });
    expect(await rows("select from handrail.schedule")).toHaveLength(before.length);
  });

  it("is refused where it does not fit what somebody has edited", async () => {
    await handrail.schedules.put(options("edited", { overlap: "allow" }));
    await rows(`update handrail.schedule set "override" = '{"overlap": "cancel"}' where name = 'edited'`);
    const put = () => handrail.schedules.put(options("edited", { overlap: "allow", missed: "all" }));
    await expect(put()).rejects.toMatchObject({
      code: "invalid_schedule",
      message: expect.stringContaining("(overlap)"),
    });
    expect(await handrail.schedules.get("edited")).toMatchObject({ missed: "last", overlap: "cancel" });
    await rows(`update handrail.schedule set "override" = null where name = 'edited'`);
    expect(await put()).toMatchObject({ changed: true, schedule: { missed: "all" } });
  });

  it("is fired by any worker of its workflow, and a removal while it fires leaves what it has fired", async () => {
    await handrail.worker({ concurrency: 5 }).start();
    await handrail.schedules.put(options("each-second", { everyMs: 1_000, overlap: "allow" }));
    const [run] = await until("A run of it", async () => {
      const runs = await runsOf("each-second");
      return runs.length > 0 && runs;
    });
    const id = (run as { id: string }).id;
    expect((await handrail.run(id).result()).output).toEqual(["acme", "each-second"]);
    // A put and removals beside the firings of a worker.
    for (let round = 0; round < 20; round++) {
      await handrail.schedules.put(options("each-second", { everyMs: 1_000 + (round % 2), overlap: "allow" }));
      await rows(
        "update handrail.schedule set look_at = clock_timestamp(), nominal_at = clock_timestamp() where name = 'each-second'",
      );
      await Promise.all([handrail.schedules.remove("each-second"), handrail.schedules.remove("each-second")]);
    }
    const fired = await rows("select from handrail.firing where schedule = 'each-second' and run_id is not null");
    expect(await runsOf("each-second")).toHaveLength(fired.length);
    expect(await rows("select from handrail.schedule where name = 'each-second'")).toEqual([]);
  });

  it("stays through a deploy of code without it; code that defines its name takes it over", async () => {
    await handrail.schedules.put(options("taken"));
    const db = poolDb(database.pool);
    await syncSchedules(db, [defineSchedule({ ...options("of-code") } as never)]);
    expect((await handrail.schedules.get("taken")).atRunTime).toBe(true);
    await syncSchedules(db, [defineSchedule({ ...options("taken", { everyMs: 3 * HOUR }) } as never)]);
    const schedules = ["taken", "of-code"];
    await registerWorker(db, { name: "deploy", workflows: [report.name], schedules, concurrency: 1, leaseMs: 60_000 });
    expect(await handrail.schedules.get("taken")).toMatchObject({ atRunTime: false, timing: { everyMs: 3 * HOUR } });
    const changes = [() => handrail.schedules.put(options("taken")), () => handrail.schedules.remove("of-code")];
    for (const change of changes)
      await expect(change()).rejects.toMatchObject({
        code: "not_allowed",
        message: expect.stringContaining("is defined in code, with defineSchedule"),
      });
    expect((await auditOf("of-code")).map(({ act }) => act)).toEqual(["schedule_remove"]);
  });

  it("which a deploy took over that was rolled back is one again, once no worker has had it for ten minutes", async () => {
    await handrail.schedules.put(options("rolled-back"));
    const db = poolDb(database.pool);
    await syncSchedules(db, [defineSchedule({ ...options("rolled-back") } as never)]);
    const schedules = ["rolled-back"];
    const worker = { name: "rolled-back", workflows: [report.name], concurrency: 1, leaseMs: 60_000 };
    await registerWorker(db, { ...worker, schedules });
    const ended = (minutes: number) =>
      rows(
        "update handrail.worker set stopped_at = clock_timestamp() - $1 * interval '1 minute' where name = 'rolled-back'",
        [minutes],
      );
    await ended(9);
    await expect(handrail.schedules.remove("rolled-back")).rejects.toMatchObject({ code: "not_allowed" });
    await ended(11);
    const put = await handrail.schedules.put(options("rolled-back"));
    expect(put).toMatchObject({ created: false, changed: true, schedule: { atRunTime: true } });
    expect(await handrail.schedules.put(options("rolled-back"))).toMatchObject({ changed: false });
    expect(await handrail.schedules.remove("rolled-back")).toBe(true);
  });
});
