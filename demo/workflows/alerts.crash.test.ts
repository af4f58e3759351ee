import { describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../lib/testing/database/database";
import { expectInvariants } from "../../lib/testing/database/invariants";
import { callWitness } from "../../lib/testing/database/witness";
import { ChildWorker } from "../../lib/testing/processes/crash";
import { until } from "../../lib/testing/until";
import type { FaultPoint } from "../../lib/worker/fault-points";

/** Two of the rules that are there from the start would fire at once: of one the schedule is late, of the other there are no workers. */
async function somethingIsWrong({ pool }: TestDatabase): Promise<void> {
  await pool.query("update handrail.alert_rule set for_ms = 0");
  await pool.query(
    `insert into handrail.schedule (name, workflow, title, definition, nominal_at, look_at)
    values ('nightly', 'gone', 'Nightly', '{}', clock_timestamp(), clock_timestamp() - interval '2 minutes')`,
  );
}

const firing = async ({ pool }: TestDatabase) =>
  (await pool.query("select name from handrail.alert_rule where state = 'firing' order by name")).rows;
const alerts = async ({ pool }: TestDatabase) =>
  (await pool.query("select noticed_at is not null as noticed from handrail.alert")).rows;
/** Including those that were handed over, to nobody. */
const noticesMade = async ({ pool }: TestDatabase) =>
  Number((await pool.query("select count(*) as count from handrail.alert where told_at is not null")).rows[0]?.count) +
  Number((await pool.query("select count(*) as count from handrail.notice where kind = 'alert.fired'")).rows[0]?.count);

const POINTS: [FaultPoint, firing: number][] = [
  ["alerts:before-write", 0],
  ["alerts:before-commit", 0],
  ["alerts:after-commit", 1],
];

describe.concurrent("a worker that is killed while it judges alert rules", () => {
  for (const [point, before] of POINTS)
    it(`at ${point}: an alert and its notice are there together or not at all, and once`, async ({
      onTestFinished,
    }) => {
      const database = await createTestDatabase();
      onTestFinished(() => database.drop());
      await callWitness(database.pool);
      await somethingIsWrong(database);
      const victim = ChildWorker.spawn(database, { leaseMs: 20_000, fault: { point } });
      onTestFinished(() => victim.kill());
      expect(await victim.untilEnded()).toBe("SIGKILL");
      expect(await firing(database)).toHaveLength(before);
      expect(await alerts(database)).toHaveLength(before);
      expect(await noticesMade(database)).toBe(before);

      const survivor = ChildWorker.spawn(database, { leaseMs: 20_000 });
      onTestFinished(() => survivor.kill());
      await until("The next judgement", async () => {
        const { rows } = await database.pool.query(
          "select judged_at > (select max(started_at) from handrail.worker) as judged from handrail.alert_turn",
        );
        return rows[0]?.judged;
      });
      expect(await firing(database)).toEqual([{ name: "schedule-late" }]);
      expect(await alerts(database)).toEqual([{ noticed: true }]);
      expect(await noticesMade(database)).toBe(1);
      await expectInvariants(database.pool);
    });
});
