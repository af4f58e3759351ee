import type { Client } from "pg";
import { systemCaller } from "../../../lib/engine/audit/audit";
import { type AuditKeys, newAuditKeys } from "../../../lib/engine/audit/audit-keys";
import { codeHere } from "../../../lib/engine/workflows/workflow-code";
import { carryOutNext } from "../../../lib/operator/operations/carry-out-item";
import { executePlan } from "../../../lib/operator/operations/execute-plan";
import { makePlan } from "../../../lib/operator/operations/make-plan";
import { writeAudit } from "../../../lib/store/audit/audit";
import { Notifier } from "../../../lib/store/database/notifier";
import { clientDb, type Db } from "../../../lib/store/db";
import { foldAll } from "../../../lib/worker/duties/problem-loop";
import { countAll } from "../../../lib/worker/duties/rollup-loop";
import { FILL_TABLES, LAY_OUT } from "./fill-batch";
import { VERSIONS, WORKERS, WORKFLOWS } from "./sample";

/** Of runs; a multiple of a family's distance, so that a parent and its children are in one. */
const BATCH = 50_000;
const AUDIT_BATCH = 1_000;
const OPERATIONS = 30;
const ITEMS = 10;
/** Of the one run that shows how its page bears many. */
const MANY_STEPS = 10_000;

interface Filling {
  /** A multiple of 500. */
  runs: number;
  /** Called after each batch. */
  say?: (done: number) => void;
}

/** Fills a fresh, migrated database, with indexes and triggers on, then runs ANALYZE. */
export async function fill(client: Client, db: Db, { runs, say }: Filling): Promise<void> {
  await client.query("set synchronous_commit = off");
  await client.query("set work_mem = '64MB'");
  await insertWorkflows(client);
  const { rows } = await client.query("select floor(extract(epoch from clock_timestamp()) * 1000)::text as now");
  for (let from = 0; from < runs; from += BATCH) {
    const to = Math.min(from + BATCH, runs);
    await client.query("begin");
    await client.query(
      LAY_OUT.replaceAll(/\$(\d)::bigint/g, (_, place) => `${[from, to, runs, rows[0].now][place - 1]}::bigint`),
    );
    await client.query("create index on batch (n)");
    await client.query("analyze batch");
    for (const statement of FILL_TABLES) await client.query(statement);
    await client.query("drop table batch");
    await client.query("commit");
    say?.(to);
  }
  await insertRunOfManySteps(client);
  await insertSchedules(client, runs);
  // Without it the first fold reads each step of the table for each run.
  await client.query("analyze");
  const keys = newAuditKeys();
  await tellOfCancelled(client, keys);
  await foldAll(db, () => false);
  await countAll(db, () => false);
  await carryOutOperations(db, keys);
  await client.query("vacuum (analyze)");
}

async function insertWorkflows(client: Client): Promise<void> {
  const names = WORKFLOWS.map(({ name }) => name);
  await client.query(
    `insert into handrail.workflow (name, version, title, input_schema)
     select name, version, initcap(replace(name, '-', ' ')), '{"type":"object"}'
     from unnest($1::text[]) as name cross join generate_series(1, $2::int) as version`,
    [names, VERSIONS],
  );
  await client.query(
    `insert into handrail.worker (name, workflows, concurrency, running, lease_expires_at)
     select 'worker-' || n, $1::text[], 100, 10, clock_timestamp() + interval '10 years' from generate_series(1, $2::int) as n`,
    [names, WORKERS],
  );
}

async function insertRunOfManySteps(client: Client): Promise<void> {
  await client.query(
    `with many as (
       insert into handrail.run (id, workflow, version, status, epoch, input, output, idempotency_key, created_at, started_at, finished_at)
       select id, workflow, version, 'completed', 1, input, '1', 'many-steps', created_at, started_at, finished_at + interval '1 hour'
       from (select (overlay(id::text placing '000000000000' from 25))::uuid as id, workflow, version, input, created_at, started_at, finished_at
         from handrail.run where status = 'completed' and workflow = 'order-fulfilment' order by id desc limit 1) as like_it
       returning id, started_at
     )
     insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, max_attempts,
       key_generation, output, started_at, finished_at)
     select id, 'step-' || n, 1, 'step', 'idempotent', 'completed', n, n, 1, 4, 1, '{"ok":true}',
       started_at + n * interval '300 ms', started_at + n * interval '300 ms' + interval '200 ms'
     from many cross join generate_series(1, $1::int) as n`,
    [MANY_STEPS],
  );
}

/** Two schedules, and firings that started no run. */
async function insertSchedules(client: Client, runs: number): Promise<void> {
  await client.query(
    `insert into handrail.schedule (name, workflow, title, definition, paused_at)
     select workflow || '-nightly', workflow, 'Every night', '{"timing":{"everyMs":60000},"input":"{}","overlap":"skip","missed":"skip","missedWindowMs":3600000}', clock_timestamp()
     from unnest(array['account-statement', 'user-sync']) as workflow`,
  );
  await client.query(
    `insert into handrail.firing (schedule, nominal_at, status, cause, reason)
     select name, date_trunc('minute', clock_timestamp()) - n * interval '1 minute', 'skipped', 'time', 'The run before it had not ended.'
     from handrail.schedule cross join generate_series(1, $1::int) as n`,
    [Math.min(40_000, Math.ceil(runs / 250))],
  );
}

/** Writes who cancelled each run to the audit log, through the engine's own chain, so that it can be verified. */
async function tellOfCancelled(client: Client, keys: AuditKeys): Promise<void> {
  const { rows } = await client.query<{ id: string; workflow: string }>(
    "select id, workflow from handrail.run where status = 'cancelled' order by id",
  );
  for (let from = 0; from < rows.length; from += AUDIT_BATCH) {
    const entries = rows.slice(from, from + AUDIT_BATCH).map(({ id, workflow }, index) => ({
      by: { ...systemCaller(`operator-${index % 7}`), kind: "person" as const },
      act: "cancel",
      runId: id,
      step: null,
      workflow,
      reason: "The customer has called it off.",
      before: { status: "running", revision: 1 },
      after: { status: "cancelled", revision: 2 },
      requestKey: null,
    }));
    await client.query("begin");
    await writeAudit(clientDb(client), keys, entries);
    await client.query("commit");
  }
}

/** A few failed runs each, planned and rerun by the operators' code. */
async function carryOutOperations(db: Db, auditKeys: AuditKeys): Promise<void> {
  const desk = { db, notifier: new Notifier(db), auditKeys, by: systemCaller("bench"), request: null };
  const code = codeHere([]);
  const failed = await db.query<{ id: string }>(
    { name: "", text: "select id from handrail.run where status = 'failed' order by id desc limit $1" },
    [OPERATIONS * ITEMS],
  );
  for (let from = 0; from + ITEMS <= failed.length; from += ITEMS) {
    const runIds = failed.slice(from, from + ITEMS).map(({ id }) => id);
    const plan = await makePlan(desk, { act: "rerun", params: {} }, { runIds });
    const given = { planId: plan.id, hash: plan.hash, reason: "The gateway is back.", canary: 0, ratePerSecond: 1_000 };
    const { body } = await executePlan(desk, code, given);
    for (let item = 0; item <= ITEMS; item++) await carryOutNext({ ...desk, code }, body.id);
  }
  await desk.notifier.close();
}
