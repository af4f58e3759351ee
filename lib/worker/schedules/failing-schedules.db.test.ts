import { expect, it } from "vitest";
import { z } from "zod";
import { defineSchedule, type Schedule } from "../../engine/schedules/schedule";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { type Db, poolDb } from "../../store/db";
import { syncSchedules } from "../../store/schedules/sync-schedules";
import { registerWorker } from "../../store/workers/workers";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { anEngine } from "../../testing/workers/engine";
import { FailedSchedules } from "./failed-schedules";
import { fireDueSchedules } from "./fire-schedules";

// A schedule that cannot be fired holds up no other.

const engine = anEngine();
const HOUR = 3_600_000;
const report = defineWorkflow({ name: "report", input: z.object({}) }, (ctx) => ctx.sleep("long", "30d"));

/** An hourly schedule that no worker has checked for so many hours. */
async function aSchedule(name: string, hours: number, given: object = {}, override: object | null = null) {
  const schedule = defineSchedule({ name, workflow: report, everyMs: HOUR, input: {}, ...given });
  await syncSchedules(engine.db, [schedule]);
  await engine.rows(
    `update handrail.schedule set "override" = $3, nominal_at = date_trunc('hour', clock_timestamp()) - $2 * interval '1 h',
      look_at = date_trunc('hour', clock_timestamp()) - $2 * interval '1 h' where name = $1`,
    [name, hours, override],
  );
  return schedule;
}

/** A worker that only fires schedules, and the names of those that failed. */
async function aScheduler(schedules: readonly Schedule[], db: Db = poolDb(engine.database.pool)) {
  const id = await registerWorker(engine.db, {
    ...{ name: "scheduler", concurrency: 1, leaseMs: 60_000, workflows: [report.name] },
    schedules: schedules.map(({ name }) => name),
  });
  const failures: string[] = [];
  const failed = new FailedSchedules((schedule) => failures.push(schedule));
  const byName = new Map([[report.name, report]]);
  return {
    failures,
    fire: () => fireDueSchedules(db, id, byName, TEST_AUDIT_KEYS, failed),
  };
}

const statusesOf = async (schedule: string) =>
  (
    await engine.rows<{ status: string }>(
      "select status from handrail.firing where schedule = $1 order by nominal_at",
      [schedule],
    )
  ).map(({ status }) => status);

it("a time that is queued and replaced in one round has one result", async () => {
  // As after an edit of the overlap policy, and then a deploy with `missed: "all"`.
  const mixed = await aSchedule("mixed", 3, { missed: "all", overlap: "allow" }, { overlap: "cancel" });
  const other = await aSchedule("beside-mixed", 0);
  const { fire, failures } = await aScheduler([mixed, other]);
  expect((await fire()).started).toHaveLength(2);
  expect(await statusesOf("beside-mixed")).toEqual(["started"]);
  expect(await statusesOf("mixed")).toEqual(["started", "skipped", "skipped", "queued"]);
  expect(failures).toEqual([]);
});

it("one whose times cannot be planned is reported once, and delays no other", async () => {
  // As for a worker whose ICU is older than the zone.
  const override = { timing: { cron: "0 * * * *", timeZone: "Europe/Atlantis" } };
  const failing = await aSchedule("unknown-zone", 3, {}, override);
  const other = await aSchedule("beside-unknown-zone", 0);
  const { fire, failures } = await aScheduler([failing, other]);
  const round = await fire();
  expect(round.started).toHaveLength(1);
  expect(await statusesOf("beside-unknown-zone")).toEqual(["started"]);
  expect(failures).toEqual(["unknown-zone"]);
  const next = await fire();
  expect(failures, "left alone for a minute").toEqual(["unknown-zone"]);
  expect(next.nextInMs).toBeGreaterThan(1_000);
  const elsewhere = await aScheduler([failing]);
  await engine.rows(`update handrail.schedule set "override" = null where name = 'unknown-zone'`);
  expect((await elsewhere.fire()).started, "another worker may be able to").toHaveLength(1);
});

it("an earlier run that cannot be cancelled leaves the other ones to be cancelled", async () => {
  const schedules = [
    await aSchedule("cancels-first", 2, { overlap: "cancel" }),
    await aSchedule("cancels-next", 1, { overlap: "cancel" }),
  ];
  const [first, next] = (await (await aScheduler(schedules)).fire()).started as [string, string];
  const stuck = (await engine.rows<{ id: string }>("select id from handrail.run where schedule = 'cancels-first'"))[0]
    ?.id;
  // As if another transaction held its row for longer than the statement timeout.
  const over = (db: Db): Db => ({
    query: (statement, values) =>
      statement.name === "lock-run" && values[0] === stuck
        ? Promise.reject(Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" }))
        : db.query(statement, values),
    transaction: (body) => db.transaction((tx) => body(over(tx))),
  });
  const { fire, failures } = await aScheduler(schedules, over(poolDb(engine.database.pool)));
  await engine.rows(
    `update handrail.schedule set nominal_at = date_trunc('second', clock_timestamp()), look_at = date_trunc('second', clock_timestamp()),
      "override" = '{"timing": {"everyMs": 1000}}' where name like 'cancels-%'`,
  );
  expect((await fire()).cancelled).toEqual([first, next].filter((id) => id !== stuck));
  expect(failures).toEqual(["cancels-first"]);
});
