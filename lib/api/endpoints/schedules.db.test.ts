import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { userSync } from "../../../demo/workflows/user-sync/user-sync";
import { defineSchedule } from "../../engine/schedules/schedule";
import { examine } from "../../store/database/doctor";
import { type Db, poolDb } from "../../store/db";
import { syncSchedules } from "../../store/schedules/sync-schedules";
import { registerWorker } from "../../store/workers/workers";
import { type Asking, anApi } from "../../testing/api/api";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { fireDueSchedules } from "../../worker/schedules/fire-schedules";
import type { Endpoint } from "../endpoint";
import * as endpoints from "../endpoints";

let database: TestDatabase;
let db: Db;
let api: Awaited<ReturnType<typeof anApi>>;
beforeAll(async () => {
  database = await createTestDatabase();
  process.env.DATABASE_URL = database.url;
  process.env.HANDRAIL_LOG = "silent";
  db = poolDb(database.pool);
  api = await anApi();
});
afterAll(async () => {
  const { shutdown } = await import("../../shutdown");
  await shutdown();
  expect((await examine(db)).filter(({ hits }) => hits.length > 0)).toEqual([]);
  await database.drop();
});

const reason = "the directory was down";
const HOUR = 3_600_000;
let names = 0;
async function aSchedule(): Promise<string> {
  const name = `sync-${++names}`;
  await syncSchedules(db, [defineSchedule({ name, workflow: userSync, everyMs: HOUR, input: {} })]);
  return `/v1/schedules/${name}`;
}

/** Sends a request and checks the answer against the contract. */
async function ask(endpoint: Endpoint, path: string, asking: Asking = {}) {
  const answer = await api.ask(endpoint.method, path, asking);
  expect(Object.keys(endpoint.statuses), JSON.stringify(answer.body)).toContain(String(answer.status));
  expect((endpoint.answer as z.ZodType).safeParse(answer.body).error?.issues ?? []).toEqual([]);
  // biome-ignore lint/suspicious/noExplicitAny: held against its schema above
  return answer.body as any;
}
const refused = async (method: string, path: string, asking: Asking = {}) => {
  const { status, body } = await api.ask(method, path, asking);
  return { status, code: (body as { error: { code: string } }).error.code };
};
const act = { body: { reason } };
const runsOf = async (path: string) =>
  (await database.pool.query("select * from handrail.run where schedule = $1", [path.split("/").at(-1)])).rows;

it("lists schedules page by page, each with its next five times", async () => {
  const [first, second] = [await aSchedule(), await aSchedule()];
  const page = await ask(endpoints.listSchedules, "/v1/schedules?limit=1");
  expect(`/v1/schedules/${page.schedules[0].name}`).toBe(first);
  expect(page.schedules[0].nextTimes).toHaveLength(5);
  const next = await ask(endpoints.listSchedules, `/v1/schedules?limit=1&cursor=${page.nextCursor}`);
  expect(`/v1/schedules/${next.schedules[0].name}`).toBe(second);
});

it("runs now, once per Idempotency-Key, and the run is found by its schedule", async () => {
  const path = await aSchedule();
  const headers = { "idempotency-key": "fire-once" };
  const once = await ask(endpoints.runScheduleNow, `${path}/firings`, { ...act, headers });
  expect(await ask(endpoints.runScheduleNow, `${path}/firings`, { ...act, headers })).toEqual(once);
  expect(once.runIds).toHaveLength(1);
  expect(once.schedule.firings).toMatchObject([{ cause: "person", status: "started", runId: once.runIds[0] }]);
  const list = await ask(endpoints.listRuns, `/v1/runs?tag.schedule=${once.schedule.name}`);
  expect(list.runs.map(({ id }: { id: string }) => id)).toEqual(once.runIds);
  expect(once.schedule.audit).toMatchObject([{ act: "schedule_fire", reason, actor: "operator" }]);
});

describe("a pause", () => {
  it("fires nothing until the resumption, which goes on from now", async () => {
    const path = await aSchedule();
    const paused = await ask(endpoints.pauseSchedule, `${path}/pause`, act);
    expect(paused.schedule).toMatchObject({ nextTimes: [], pausedAt: expect.any(String) });
    expect(await refused("POST", `${path}/pause`, act)).toEqual({ status: 409, code: "not_allowed" });
    const resumed = await ask(endpoints.resumeSchedule, `${path}/resumption`, act);
    expect(Date.parse(resumed.schedule.nextTimes[0])).toBeGreaterThan(Date.now());
    expect(await refused("POST", `${path}/resumption`, act)).toEqual({ status: 409, code: "not_allowed" });
  });

  it("stays over an edit and a reset", async () => {
    const path = await aSchedule();
    await ask(endpoints.pauseSchedule, `${path}/pause`, act);
    const edited = await ask(endpoints.editSchedule, `${path}/override`, { body: { everyMs: 60_000, reason } });
    expect(edited.schedule).toMatchObject({ nextTimes: [], overridden: ["timing"] });
    expect((await ask(endpoints.resetSchedule, `${path}/reset`, act)).schedule.pausedAt).not.toBeNull();
  });
});

describe("an edit", () => {
  it("overrides the code's definition, visibly, until it is reset", async () => {
    const path = await aSchedule();
    const body = { cron: "0 4 * * *", timeZone: "Europe/Berlin", overlap: "queue", reason };
    const { schedule } = await ask(endpoints.editSchedule, `${path}/override`, { body });
    expect(schedule).toMatchObject({
      timing: { cron: "0 4 * * *", timeZone: "Europe/Berlin" },
      overlap: "queue",
      overridden: ["timing", "overlap"],
      definition: { timing: { everyMs: HOUR }, overlap: "skip" },
    });
    const reset = await ask(endpoints.resetSchedule, `${path}/reset`, act);
    expect(reset.schedule).toMatchObject({ timing: { everyMs: HOUR }, overlap: "skip", overridden: [] });
    expect(await refused("POST", `${path}/reset`, act)).toEqual({ status: 409, code: "not_allowed" });
  });

  it("of a schedule whose time has passed goes on from now", async () => {
    const path = await aSchedule();
    await database.pool.query(
      "update handrail.schedule set nominal_at = '2020-01-01T00:00Z', look_at = '2020-01-01T00:00Z' where name = $1",
      [path.split("/").at(-1)],
    );
    const { schedule } = await ask(endpoints.editSchedule, `${path}/override`, {
      body: { everyMs: 7_200_000, reason },
    });
    expect(Date.parse(schedule.nextTimes[0])).toBeGreaterThan(Date.now());
  });

  it("at the moment of firing: one comes after the other, and nothing is fired twice", async () => {
    const path = await aSchedule();
    const name = path.split("/").at(-1) as string;
    const worker = await registerWorker(db, {
      name: "w",
      workflows: ["user-sync"],
      schedules: [name],
      concurrency: 1,
      leaseMs: 60_000,
    });
    await database.pool.query(
      `update handrail.schedule set nominal_at = date_trunc('hour', clock_timestamp()),
        look_at = date_trunc('hour', clock_timestamp()) where name = $1`,
      [name],
    );
    const workflows = new Map([["user-sync", userSync]]);
    const [edit] = await Promise.all([
      ask(endpoints.editSchedule, `${path}/override`, { body: { overlap: "allow", reason } }),
      fireDueSchedules(db, worker, workflows, TEST_AUDIT_KEYS),
    ]);
    expect(edit.schedule.overlap).toBe("allow");
    expect((await runsOf(path)).length).toBeLessThanOrEqual(1);
  });

  it.each([
    [{ cron: "0 25 * * *" }, 422, "invalid_schedule"],
    [{ cron: "0 3 * * *", everyMs: 60_000 }, 422, "invalid_schedule"],
    [{ timeZone: "UTC" }, 422, "invalid_schedule"],
    [{ missed: "all" }, 422, "invalid_schedule"],
    [{ input: 7 }, 422, "invalid_input"],
    [{ overlap: "sometimes" }, 422, "invalid_input"],
    [{ everyMs: 60_000, revision: 77 }, 409, "changed"],
  ])("that cannot be is refused: %j", async (body, status, code) => {
    const path = await aSchedule();
    expect(await refused("PUT", `${path}/override`, { body: { ...body, reason } })).toEqual({ status, code });
  });
});

describe("a backfill", () => {
  const range = (hours: number) => {
    const to = Math.floor(Date.now() / HOUR) * HOUR;
    return { from: new Date(to - hours * HOUR).toISOString(), to: new Date(to).toISOString() };
  };

  it("starts what its preview shows, and never a time that has its run", async () => {
    const path = await aSchedule();
    const { from, to } = range(5);
    const middle = { from: new Date(Date.parse(from) + HOUR).toISOString(), to, reason };
    await ask(endpoints.backfillSchedule, `${path}/backfills`, { body: { ...middle, to: middle.from } });
    const preview = await ask(endpoints.previewBackfill, `${path}/backfills?from=${from}&to=${to}`);
    expect(preview).toMatchObject({ toStart: 5, times: { length: 6 } });
    const body = { from, to, reason, revision: preview.revision };
    const done = await Promise.all([1, 2].map(() => ask(endpoints.backfillSchedule, `${path}/backfills`, { body })));
    expect(done.map(({ runIds }) => runIds.length).sort()).toEqual([0, 5]);
    expect(await runsOf(path)).toHaveLength(6);
    expect((await ask(endpoints.previewBackfill, `${path}/backfills?from=${from}&to=${to}`)).toStart).toBe(0);
  });

  it.each([
    ["in the future", { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" }],
    ["that ends before it begins", { from: "2020-01-02T00:00:00Z", to: "2020-01-01T00:00:00Z" }],
    ["of too many times", { from: "2020-01-01T00:00:00Z", to: "2021-01-01T00:00:00Z" }],
  ])("%s is refused", async (_, given) => {
    const path = await aSchedule();
    const expected = { status: 422, code: "invalid_input" };
    expect(await refused("POST", `${path}/backfills`, { body: { ...given, reason } })).toEqual(expected);
    expect(await refused("GET", `${path}/backfills?from=${given.from}&to=${given.to}`)).toEqual(expected);
  });

  it("does not reach where runs may have been deleted", async () => {
    const path = await aSchedule();
    await database.pool.query("update handrail.schedule set forgotten_until = clock_timestamp() where name = $1", [
      path.split("/").at(-1),
    ]);
    expect(await refused("POST", `${path}/backfills`, { body: { ...range(3), reason } })).toMatchObject({
      status: 422,
    });
  });
});

it("an unknown schedule is reported as such", async () => {
  const expected = { status: 404, code: "unknown_schedule" };
  expect(await refused("GET", "/v1/schedules/none")).toEqual(expected);
  expect(await refused("POST", "/v1/schedules/none/pause", act)).toEqual(expected);
});

describe("a schedule made at run time", () => {
  const body = { workflow: "user-sync", everyMs: HOUR, input: {}, reason };
  const audited = async (path: string) =>
    (
      await database.pool.query("select act, result from handrail.audit where schedule = $1 order by id", [
        path.split("/").at(-1),
      ])
    ).rows;

  it("is made, changed and removed, once each", async () => {
    const path = "/v1/schedules/at-run-time";
    expect(await api.ask("PUT", path, { body })).toMatchObject({ status: 201, body: { created: true } });
    expect(await api.ask("PUT", path, { body })).toMatchObject({ status: 200, body: { created: false } });
    const changed = await ask(endpoints.putSchedule, path, { body: { ...body, title: "Of Acme", overlap: "queue" } });
    expect(changed.schedule).toMatchObject({ title: "Of Acme", overlap: "queue", atRunTime: true });
    const { acts } = await ask(endpoints.getSchedule, path);
    expect(acts.at(-1)).toEqual({ act: "remove", open: true, because: null });
    const stale = { reason, revision: changed.schedule.revision - 1 };
    expect(await refused("POST", `${path}/removal`, { body: stale })).toEqual({ status: 409, code: "changed" });
    expect(await ask(endpoints.removeSchedule, `${path}/removal`, act)).toEqual({ removed: true });
    expect(await refused("POST", `${path}/removal`, act)).toEqual({ status: 404, code: "unknown_schedule" });
    expect(await refused("GET", path)).toEqual({ status: 404, code: "unknown_schedule" });
    expect((await audited(path)).map(({ act, result }) => `${act} ${result}`)).toEqual([
      "schedule_put done",
      "schedule_put done",
      "schedule_remove denied",
      "schedule_remove done",
    ]);
  });

  it("is answered as before to a repetition with its Idempotency-Key, also after its removal", async () => {
    const path = "/v1/schedules/answered";
    const headers = { "idempotency-key": "put-once-00000001" };
    const first = await api.ask("PUT", path, { body, headers });
    await ask(endpoints.removeSchedule, `${path}/removal`, act);
    expect(await api.ask("PUT", path, { body, headers })).toMatchObject({ status: 201, body: first.body });
    expect(await refused("GET", path)).toEqual({ status: 404, code: "unknown_schedule" });
  });

  it("is not what code defines, and does not move to another workflow", async () => {
    const path = await aSchedule();
    const ofCode = { name: "its-code", workflows: ["user-sync"], schedules: [path.split("/").at(-1) as string] };
    await registerWorker(db, { ...ofCode, concurrency: 1, leaseMs: 60_000 });
    expect(await refused("PUT", path, { body })).toEqual({ status: 409, code: "not_allowed" });
    expect(await refused("POST", `${path}/removal`, act)).toEqual({ status: 409, code: "not_allowed" });
    const own = "/v1/schedules/stays";
    await ask(endpoints.putSchedule, own, { body });
    const other = {
      ...body,
      workflow: "order-fulfilment",
      input: { orderId: "A", amountCents: 1, email: "a@b.example" },
    };
    expect(await refused("PUT", own, { body: other })).toEqual({ status: 409, code: "not_allowed" });
    expect((await ask(endpoints.getSchedule, own)).workflow).toBe("user-sync");
  });

  it.each([
    [{ everyMs: undefined }, 422, "invalid_schedule"],
    [{ cron: "0 7 * * *" }, 422, "invalid_schedule"],
    [{ everyMs: undefined, cron: "often" }, 422, "invalid_schedule"],
    [{ timeZone: "Europe/Berlin" }, 422, "invalid_schedule"],
    [{ everyMs: 10 }, 422, "invalid_schedule"],
    [{ missed: "all" }, 422, "invalid_schedule"],
    [{ input: 7 }, 422, "invalid_input"],
    [{ workflow: "nobody-has-it" }, 404, "unknown_workflow"],
    [{ workflow: "handrail.operation" }, 404, "unknown_workflow"],
  ])("that cannot be is refused, and nothing is written: %j", async (given, status, code) => {
    const path = "/v1/schedules/cannot-be";
    expect(await refused("PUT", path, { body: { ...body, ...given } })).toEqual({ status, code });
    expect(await refused("GET", path)).toEqual({ status: 404, code: "unknown_schedule" });
  });

  it("has a name that a schedule can have", async () => {
    expect(await refused("PUT", "/v1/schedules/Not%20One", { body })).toEqual({
      status: 422,
      code: "invalid_schedule",
    });
  });
});
