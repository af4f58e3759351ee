import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { defineSchedule } from "../../engine/schedules/schedule";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { syncSchedules } from "../../store/schedules/sync-schedules";
import { startProxy, type TestProxy } from "../../testing/database/proxy";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";

// A scheduler whose network loses the answer to its statement, or breaks before it: each nominal time has one run.

const engine = anEngine();
let proxy: TestProxy;
beforeEach(async () => {
  proxy = await startProxy(engine.database.url);
});
afterEach(() => proxy.close());

const report = defineWorkflow({ name: "report", input: z.object({}) }, async (ctx) => ctx.run.scheduledAt);

/** Words of the statement, which ends in NUL as its name does. */
it.each([
  ["loseAnswer", "fire"],
  ["cut", "fire"],
  ["loseAnswer", "commit"],
  ["cut", "commit"],
] as const)("a network that does %s to %j: the nominal time is fired once", async (trouble, statement) => {
  const name = `${trouble.toLowerCase()}-${statement}`;
  const schedule = defineSchedule({ name, workflow: report, everyMs: 3_600_000, input: {} });
  await syncSchedules(engine.db, [schedule]);
  await engine.rows(
    `update handrail.schedule set nominal_at = date_trunc('hour', clock_timestamp()), look_at = date_trunc('hour', clock_timestamp())
     where name = $1`,
    [name],
  );
  const happened = new Promise<void>((resolve) => {
    setFaultHandler((point) => {
      if (point !== "schedule:before-fire") return;
      setFaultHandler(undefined);
      void proxy[trouble](`${statement}\0`).then(resolve);
    });
  });
  await engine.worker([report], { url: proxy.url, schedules: [schedule] });
  await happened;
  const [firing] = await until("The firing", async () => {
    const rows = await engine.rows<{ run_id: string }>(
      "select firing.run_id from handrail.firing join handrail.schedule on schedule.name = firing.schedule where firing.schedule = $1 and schedule.nominal_at > clock_timestamp()",
      [name],
    );
    return rows.length > 0 && rows;
  });
  expect((await engine.untilEnded(firing?.run_id as string)).run.status).toBe("completed");
  const runs = await engine.rows("select id from handrail.run where schedule = $1", [name]);
  expect(runs).toEqual([{ id: firing?.run_id }]);
});
