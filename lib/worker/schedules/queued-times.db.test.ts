import { expect, it } from "vitest";
import { z } from "zod";
import { defineSchedule, type Schedule, type ScheduleSpec } from "../../engine/schedules/schedule";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { type Db, poolDb } from "../../store/db";
import { lockSchedule, overrideSchedule } from "../../store/schedules/change-schedule";
import { redefineSchedule } from "../../store/schedules/run-time-schedules";
import type { LockedSchedule } from "../../store/schedules/schedule-rows";
import { syncSchedules } from "../../store/schedules/sync-schedules";
import { registerWorker } from "../../store/workers/workers";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { fireDueSchedules } from "./fire-schedules";

// A time that waits for the end of a run is started at that end, also when the schedule's times have changed meanwhile.

const engine = anEngine();
const ever = defineWorkflow({ name: "ever", input: z.object({}) }, (ctx) => ctx.sleep("long", "30d"));
const YEARLY: ScheduleSpec["timing"] = { cron: "0 3 1 1 *", timeZone: "UTC" };

const held = async (tx: Db, name: string) => (await lockSchedule(tx, name)) as LockedSchedule;
const yearly = (schedule: Schedule): Schedule => ({ ...schedule, spec: { ...schedule.spec, timing: YEARLY } });

async function aSchedule(name: string) {
  const schedule = defineSchedule({ name, workflow: ever, everyMs: 1_000, overlap: "queue", input: {} });
  await syncSchedules(engine.db, [schedule]);
  const id = await registerWorker(engine.db, {
    ...{ name: "scheduler", concurrency: 1, leaseMs: 60_000, workflows: [ever.name], schedules: [name] },
  });
  const fire = () => fireDueSchedules(poolDb(engine.database.pool), id, new Map([[ever.name, ever]]), TEST_AUDIT_KEYS);
  return { schedule, fire };
}

const isDue = async (name: string) => {
  const [row] = await engine.rows<{ due: boolean }>(
    "select look_at <= clock_timestamp() as due from handrail.schedule where name = $1",
    [name],
  );
  return row?.due;
};

it.each<[string, (schedule: Schedule) => Promise<unknown>]>([
  ["a deploy", (schedule) => syncSchedules(engine.db, [yearly(schedule)])],
  [
    "a put",
    (schedule) =>
      engine.db.transaction(async (tx) => redefineSchedule(tx, yearly(schedule), await held(tx, schedule.name))),
  ],
  [
    "an edit",
    (schedule) =>
      engine.db.transaction(async (tx) => overrideSchedule(tx, await held(tx, schedule.name), { timing: YEARLY })),
  ],
])("after %s", async (change, apply) => {
  const { schedule, fire } = await aSchedule(change.replace(" ", "-"));
  const waiting = "select from handrail.firing where schedule = $1 and status = 'queued'";
  await until("A time that waits", async () => {
    await fire();
    return (await engine.rows(waiting, [schedule.name])).length > 0;
  });
  await apply(schedule);
  await engine.rows(
    `update handrail.run set status = 'completed', epoch = epoch + 1, output = '1', due_at = null, waiting_kind = null,
      finished_at = clock_timestamp() where schedule = $1`,
    [schedule.name],
  );
  expect((await fire()).started).toHaveLength(1);
  expect(await engine.rows(waiting, [schedule.name])).toEqual([]);
});

it("when the change waited for the transaction that queued it", async () => {
  const { schedule } = await aSchedule("held-up");
  let change: Promise<unknown> | undefined;
  await engine.db.transaction(async (tx) => {
    await lockSchedule(tx, schedule.name);
    change = engine.db.transaction(async (other) =>
      overrideSchedule(other, await held(other, schedule.name), { timing: YEARLY }),
    );
    await until("The change waits", async () => {
      const rows = await engine.rows(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows.length > 0;
    });
    await tx.query(
      {
        name: "queued-by-another",
        text: "insert into handrail.firing (schedule, nominal_at, cause, status) values ($1, now(), 'time', 'queued')",
      },
      [schedule.name],
    );
  });
  await change;
  expect(await isDue(schedule.name)).toBe(true);
});
