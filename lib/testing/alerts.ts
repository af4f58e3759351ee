import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type AlertKind, type AlertOptions, defineAlerts } from "../engine/alerts/alert-rule";
import { insertAlertRule, listAlertRules } from "../store/alerts/alert-rules";
import { type Db, poolDb, type Statement } from "../store/db";
import { newPlanId } from "../store/run-id";
import { judgeAlerts } from "../worker/duties/judge-alerts";
import { createTestDatabase, type TestDatabase } from "./database/database";

/** A database without runs, workers and rules before each test, in which rules are judged by hand. */
export function anAlertDatabase() {
  let database: TestDatabase;
  let db: Db;
  const rows = async <Row>(sql: string, values: unknown[] = []) =>
    (await database.pool.query(sql, values)).rows as Row[];
  beforeAll(async () => {
    database = await createTestDatabase();
    db = poolDb(database.pool);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    for (const table of ["notice", "destination", "alert_rule", "run_rollup", "worker", "schedule"])
      await rows(`delete from handrail.${table}`);
    await rows("truncate handrail.run cascade");
  });

  const standing = async () => {
    const [rule] = await listAlertRules(db);
    if (!rule) throw new Error("There is no rule.");
    return rule;
  };
  return {
    rows,
    get db() {
      return db;
    },
    get pool() {
      return database.pool;
    },
    standing,

    /** A rule of the console that fires and resolves at once, unless it says otherwise. */
    async aRule(options: Partial<AlertOptions> & { kind: AlertKind; threshold: number }) {
      const [rule] = defineAlerts([{ name: "a-rule", forMs: 0, resolveForMs: 0, quietMs: 0, ...options }]);
      if (!rule) throw new Error("No rule was defined.");
      const given = { ...rule, id: newPlanId(), enabled: true };
      expect(await insertAlertRule(db, given, "mia")).toBe(true);
      return given;
    },

    /** The next judgement, so long after the last one. */
    async tick(agoMs = 10_000) {
      await rows(
        "update handrail.alert_turn set judged_at = case when judged_at = '-infinity' then judged_at else clock_timestamp() - $1 * interval '1 ms' end",
        [agoMs],
      );
      expect(await judgeAlerts(db)).toBe(true);
      return standing();
    },

    /** Everything that rules remember happened so much earlier. */
    async later(ms: number) {
      await rows(
        `update handrail.alert_rule set breached_since = breached_since - $1 * interval '1 ms', clear_since = clear_since - $1 * interval '1 ms',
          noticed_at = noticed_at - $1 * interval '1 ms'`,
        [ms],
      );
    },

    notices: async () =>
      (await rows<{ kind: string }>("select kind from handrail.notice order by seq")).map(({ kind }) => kind),
    alerts: () => rows<{ id: string; resolved_at: Date | null }>("select * from handrail.alert order by opened_at"),
  };
}

const firesStatement: Statement = {
  name: "fire-alert-rule",
  text: `
    with rule as (
      update handrail.alert_rule set state = 'firing', value = 0, breached_since = clock_timestamp(), resolve_for_ms = 86400000
      where name = $1 returning id
    )
    insert into handrail.alert (id, rule_id, value) select gen_random_uuid(), id, 0 from rule`,
};

/** The rule fires from now on, whatever is measured. */
export const fireRule = (db: Db, name: string) => db.query(firesStatement, [name]);
