import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { BREAKS } from "../../testing/doctor-breaks";
import { aRun } from "../../testing/rows/a-run";
import { oneIn } from "../../testing/sample";
import { AUDIT_RULES } from "../audit/audit-rules";
import { poolDb } from "../db";
import { examine } from "./doctor";
import { ENGINE_RULES } from "./doctor-rules";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // The doctor finds violations of the database's own constraints if these were removed.
  await database.pool.query(`
    alter table handrail.audit drop constraint audit_chained;
    create or replace function handrail.audit_is_append_only() returns trigger language plpgsql as
      $$ begin return coalesce(new, old); end $$;
    create or replace function handrail.hold_blob(reference text, of_run uuid, at_place text) returns void language sql as $$ $$`);
});
afterEach(() =>
  database.pool.query(
    "alter table handrail.audit_chain enable always trigger audit_chain_no_truncate; truncate handrail.run, handrail.step, handrail.attempt, handrail.compensation, handrail.lost_claim, handrail.suspect, handrail.audit, handrail.worker, handrail.schedule, handrail.firing, handrail.queue_lane, handrail.queue_note, handrail.queue_total, handrail.queue_limit, handrail.run_tag, handrail.request, handrail.placed_key, handrail.subscription, handrail.event, handrail.event_wait, handrail.blob, handrail.permit, handrail.permit_wait, handrail.step_limit, handrail.drain, handrail.trouble, handrail.problem, handrail.problem_watch, handrail.problem_run, handrail.problem_fingerprint, handrail.problem_version, handrail.run_rollup, handrail.step_rollup, handrail.rollup_step, handrail.run_end, handrail.code_request, handrail.log, handrail.log_block, handrail.log_gone; update handrail.log_fold set next_block = 0, settled_id = 0, mark_id = null; update handrail.audit_chain set seq = 0, hash = genesis; insert into handrail.problem_fold default values on conflict do nothing; delete from handrail.rollup_fold; insert into handrail.rollup_fold default values",
  ),
);
afterAll(() => database.drop());

const states = () => aRun(poolDb(database.pool), { idempotencyKey: undefined });
const brokenRules = async () =>
  (await examine(poolDb(database.pool))).filter(({ hits }) => hits.length > 0).map(({ rule }) => rule.name);

it("finds nothing wrong with runs of the engine", async () => {
  const given = states();
  await given.pending();
  await given.runningAt("charge-payment");
  await given.asleepAfter("create-order");
  await given.failedAt("charge-payment");
  await given.failedBetweenSteps();
  await given.completed();
  await given.compensatingInHand();
  expect(await brokenRules()).toEqual(
    // The fixture does not write the three failures before the last.
    ["Attempts are numbered from 1 without a gap, up to the step's attempt"],
  );
});

/** Tables without rules beyond their constraints. */
const WITHOUT_A_RULE: Record<string, string> = {
  deploy: "Marks for charts; a worker that starts compares with the last one alone.",
  destination: "A person chooses the recipients; its constraints hold the row together.",
  event_key: "Its rows exist to be locked; a missing one is inserted.",
  incident: "It repeats what its cause says; the next hand-over compares the two.",
  invitation: "Its link is used once under its row's lock; a rule checks how each person was added.",
  log_block: "An index of the lines; a search compares each line itself.",
  log_fold: "Without its row, lines are searched one by one.",
  log_gone: "Its rows are taken by the next fold.",
  migration: "The migrator compares the applied migrations with the files.",
  placed_key: "What a fleet asks before a start; without its row, it is asked whether a run of the key is there.",
  problem_count: "Sums for charts, which are deleted sooner than the failures that they count.",
  problem_history: "A copy for people; the audit log has the actions.",
  problem_watch: "What a person follows; its keys lead to the person and the problem.",
  sign_in_attempt: "Counts of attempts, which are deleted after a day.",
  sign_in_flow: "A sign-in in progress is valid for ten minutes, and is deleted by later ones.",
  throttle: "The latest starts of a key, which are deleted once they no longer count.",
  verification: "What a verification found, for people; the next one of the version replaces it.",
};

it("has a rule for every table, or a reason to have none", async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'handrail' order by 1",
  );
  const asked = [...ENGINE_RULES, ...AUDIT_RULES].map(({ sql }) => sql).join("\n");
  const forgotten = rows.filter(({ name }) => !new RegExp(`handrail\\.${name}\\b`).test(asked));
  expect(forgotten.map(({ name }) => name)).toEqual(Object.keys(WITHOUT_A_RULE));
});

it.each(oneIn(3, [...ENGINE_RULES, ...AUDIT_RULES]).map(({ name }) => name))("can be broken: %s", async (name) => {
  const [state, sql] = BREAKS[name] ?? ["completed", "select 'no break is known for this rule'"];
  const runId = await (states()[state] as (step: string) => Promise<string>)("create-order");
  await database.pool.query(sql, sql.includes("$1") ? [runId] : []);
  expect(await brokenRules()).toContain(name);
});

it("changes nothing, whatever its rules ask", async () => {
  const rule = {
    name: "r",
    promise: "P1",
    meaning: "m",
    sql: "select pg_notify('a', 'b'), nextval('handrail.worker_id_seq')",
  } as const;
  await expect(examine(poolDb(database.pool), [rule])).rejects.toThrow(/read-only transaction/);
});

it("reports twenty rows and that there are more", async () => {
  const rule = { name: "r", promise: "P1", meaning: "m", sql: "select n from generate_series(1, 30) n" } as const;
  const [finding] = await examine(poolDb(database.pool), [rule]);
  expect(finding).toMatchObject({ more: true, hits: { length: 20 } });
});
