import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { systemCaller } from "../../engine/audit/audit";
import { prepareStart } from "../../engine/runs/start";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { writeAudit } from "../../store/audit/audit";
import { examine } from "../../store/database/doctor";
import { clientDb, poolDb } from "../../store/db";
import { listRetention } from "../../store/reads/retention";
import { deleteExpired, lockForDeletion, PARTS_OF_A_RUN } from "../../store/runs/retention";
import { insertRunOnce } from "../../store/runs/start-run";
import { registerWorkflows } from "../../store/workers/workers";
import { rerun } from "../../testing/actions";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { until } from "../../testing/until";
import { RetentionWalk } from "./retention";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  const orphans = (await examine(poolDb(database.pool))).filter(
    ({ rule }) => rule.name === "Every part of a run belongs to a run",
  );
  expect(orphans).toMatchObject([{ hits: [] }]);
  await database.drop();
});
const engine = {
  get database() {
    return database;
  },
  get db() {
    return poolDb(database.pool);
  },
  rows: async <Row = unknown>(text: string, values: unknown[] = []) =>
    (await database.pool.query(text, values)).rows as Row[],
};
const DAY = 86_400_000;
let names = 0;

/** Keeps completed runs for a day and failed ones for ten, by default. */
async function aWorkflow(
  retention: Workflow["retention"] = { completedMs: DAY, failedMs: 10 * DAY },
): Promise<Workflow> {
  const options = { name: `kept-${++names}`, input: z.any(), ...(retention && { retention }) };
  const workflow = defineWorkflow(options, async () => undefined);
  await registerWorkflows(engine.db, [workflow]);
  return workflow;
}

/** A run that began and, if it has ended, ended this many days ago. */
function past({ name }: Workflow, days: number) {
  const createdAt = new Date(Date.now() - days * DAY);
  const id = uuidv7({ msecs: createdAt.getTime() });
  return aRun(engine.db, { id, workflow: name, createdAt, idempotencyKey: `key-${id}`, tags: { order: id } });
}

async function sweep(): Promise<string[]> {
  const walk = new RetentionWalk(poolDb(engine.database.pool));
  const gone: string[] = [];
  for (;;) {
    const step = await walk.step();
    gone.push(...step.gone);
    if (!step.more) return gone;
  }
}

const isThere = async (id: string) => (await engine.rows("select from handrail.run where id = $1", [id])).length > 0;
const childOf = (parent: string, child: string) =>
  engine.rows(
    "update handrail.run set parent_run_id = $1, parent_step = 'child', parent_key_generation = 1 where id = $2",
    [parent, child],
  );

it("a run that its workflow's rate still counts is kept, whatever its retention", async () => {
  const name = `kept-${++names}`;
  const workflow = defineWorkflow(
    { name, input: z.any(), retention: { completedMs: 1_000 }, rateLimit: { limit: 2, perMs: 4 * 3_600_000 } },
    async () => undefined,
  );
  await registerWorkflows(engine.db, [workflow]);
  const [counted, no, long] = [past(workflow, 2 / 24), past(workflow, 3 / 24), past(workflow, 5 / 24)];
  const ids = [await counted.completed(), await no.completed(), await long.completed()];
  await engine.rows(
    "update handrail.run set queue_key = '', started_at = created_at where id = any ($1) and id <> $2",
    [ids, ids[1]],
  );
  expect((await sweep()).sort()).toEqual([ids[1], ids[2]].sort());
  await engine.rows(
    "insert into handrail.queue_limit (workflow, rate_limit, rate_per_ms, set_by) values ($1, 2, 1000, 'x')",
    [name],
  );
  // The code's period is the longer one, and may be back at any time.
  expect(await sweep()).toEqual([]);
  await registerWorkflows(engine.db, [
    defineWorkflow({ name, input: z.any(), retention: { completedMs: 1_000 } }, async () => undefined),
  ]);
  expect(await sweep()).toEqual([ids[0]]);
});

describe("a deletion", () => {
  it("removes an ended run past its outcome's retention, with all of its rows; the audit log stays", async () => {
    const workflow = await aWorkflow();
    const [gone, young, failed] = [
      await past(workflow, 2).completed(),
      await past(workflow, 0.5).completed(),
      await past(workflow, 2).failedAt("charge-payment"),
    ];
    const entry = { act: "rerun", runId: gone, step: null, reason: "r", before: {}, after: {}, requestKey: null };
    await poolDb(database.pool).transaction((tx) =>
      writeAudit(tx, TEST_AUDIT_KEYS, [{ by: systemCaller("mia"), ...entry }]),
    );
    expect(await sweep()).toEqual([gone]);
    expect([await isThere(young), await isThere(failed)]).toEqual([true, true]);
    for (const part of PARTS_OF_A_RUN)
      expect(await engine.rows(`select from handrail.${part} where run_id = $1`, [gone]), part).toEqual([]);
    expect(await engine.rows("select from handrail.audit where run_id = $1", [gone])).toHaveLength(1);
  });

  it("removes a failed run after the retention of failed runs", async () => {
    const failed = await past(await aWorkflow(), 11).failedAt("charge-payment");
    expect(await sweep()).toEqual([failed]);
  });

  it("finds all rows of a run by an index, however many other runs have", async () => {
    const found = await engine.rows<{ name: string }>(
      `select distinct indrelid::regclass::text as name from pg_index
       join pg_attribute on attrelid = indrelid and attnum = indkey[0] and attname = 'run_id'
       where indpred is null or pg_get_expr(indpred, indrelid) = '(run_id IS NOT NULL)'`,
    );
    const indexed = found.map(({ name }) => name.replace("handrail.", ""));
    expect([...PARTS_OF_A_RUN, "blob", "event", "firing"].filter((part) => !indexed.includes(part))).toEqual([]);
  });

  it("covers every table with rows of a run", async () => {
    const tables = await engine.rows<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'handrail' and column_name = 'run_id'`,
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(
      [
        ...PARTS_OF_A_RUN,
        "audit",
        // Goes after its bytes.
        "blob",
        "delivery",
        "event",
        "firing",
        "notice",
        "operation",
        "operation_item",
        "plan_item",
        "probe",
        "probe_try",
        "problem_run",
        "trouble",
      ].sort(),
    );
  });
});

describe("a deletion leaves", () => {
  it("everything of a workflow without a retention", async () => {
    const run = await past(await aWorkflow({}), 10_000).completed();
    expect(await sweep()).toEqual([]);
    expect(await isThere(run)).toBe(true);
  });

  it("runs that have not ended, and runs that need attention", async () => {
    const workflow = await aWorkflow({ completedMs: DAY, cancelledMs: DAY });
    await past(workflow, 30).cancelledWithUnknown("charge-payment");
    await past(workflow, 30).pending();
    await past(workflow, 30).asleepAfter("create-order");
    await past(workflow, 30).compensating();
    expect(await sweep()).toEqual([]);
  });

  it("a tree while one of its runs is open or young, and then deletes all of it", async () => {
    const workflow = await aWorkflow({ completedMs: DAY, failedMs: DAY });
    const root = await past(workflow, 30).completed();
    const child = await past(workflow, 29).completed();
    const grandchild = await past(workflow, 0.2).completed();
    await childOf(root, child);
    await childOf(child, grandchild);
    expect(await sweep()).toEqual([]);
    await engine.rows("update handrail.run set finished_at = finished_at - interval '5 days' where id = $1", [
      grandchild,
    ]);
    expect((await sweep()).sort()).toEqual([root, child, grandchild].sort());
  });

  it("a child while its parent is young", async () => {
    const workflow = await aWorkflow();
    const [parent, child] = [await past(workflow, 0.5).completed(), await past(workflow, 30).completed()];
    await childOf(parent, child);
    expect(await sweep()).toEqual([]);
    expect(await isThere(child)).toBe(true);
  });

  it.each(["owed", "failed"])("a failed run with a compensation that is %s", async (status) => {
    const workflow = await aWorkflow();
    const run = await past(workflow, 30).failedAt("charge-payment");
    await engine.rows(
      `insert into handrail.compensation (run_id, step, generation, mode, status, position, error)
       values ($1, 'create-order', 1, 'automatic', $2, 1, case $2 when 'failed' then '{"name":"Error","message":"no"}' end)`,
      [run, status],
    );
    expect(await sweep()).toEqual([]);
    expect(await isThere(run)).toBe(true);
  });
});

describe("races", () => {
  it("a run with a locked child is kept", async () => {
    const workflow = await aWorkflow();
    const [parent, child] = [await past(workflow, 20).completed(), await past(workflow, 20).completed()];
    await childOf(parent, child);
    const [holder, deleter] = [await engine.database.pool.connect(), await engine.database.pool.connect()];
    try {
      await holder.query("begin");
      await holder.query("select from handrail.run where id = $1 for update", [child]);
      await deleter.query("begin");
      const locked = await lockForDeletion(clientDb(deleter), [parent]);
      expect(locked).toEqual([parent]);
      expect(await deleteExpired(clientDb(deleter), [parent], locked)).toEqual([]);
    } finally {
      holder.release(true);
      deleter.release(true);
    }
    const ended =
      "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'";
    await until("The end of both transactions", async () => (await engine.rows(ended)).length === 0);
    expect((await sweep()).sort()).toEqual([parent, child].sort());
  });

  it("a rerun before the deletion keeps its run", async () => {
    const run = await past(await aWorkflow(), 20).failedAt("charge-payment");
    const [holder, deleter] = [await engine.database.pool.connect(), await engine.database.pool.connect()];
    try {
      await holder.query("begin");
      await rerun(aDesk(clientDb(holder)), { runId: run, reason: "the gateway is back" });
      await deleter.query("begin");
      // Held by the rerun: skipped.
      expect(await lockForDeletion(clientDb(deleter), [run])).toEqual([]);
      await holder.query("commit");
      // Locked after the rerun, chosen before it: judged again.
      const locked = await lockForDeletion(clientDb(deleter), [run]);
      expect(await deleteExpired(clientDb(deleter), [run], locked)).toEqual([]);
      await deleter.query("commit");
    } finally {
      holder.release(true);
      deleter.release(true);
    }
    expect(await isThere(run)).toBe(true);
  });

  it("a rerun after the deletion finds no run", async () => {
    const run = await past(await aWorkflow(), 20).failedAt("charge-payment");
    const deleter = await engine.database.pool.connect();
    try {
      await deleter.query("begin");
      const locked = await lockForDeletion(clientDb(deleter), [run]);
      const late = rerun(aDesk(engine.db), { runId: run, reason: "too late" }).catch((error) => error.code);
      expect(await deleteExpired(clientDb(deleter), [run], locked)).toEqual([run]);
      await deleter.query("commit");
      expect(await late).toBe("unknown_run");
    } finally {
      deleter.release(true);
    }
  });

  it("a start with the same idempotency key begins a new run", async () => {
    const workflow = await aWorkflow();
    const run = await past(workflow, 20).completed();
    const start = await prepareStart(workflow, {}, { idempotencyKey: `key-${run}` });
    const deleter = await engine.database.pool.connect();
    try {
      await deleter.query("begin");
      const locked = await lockForDeletion(clientDb(deleter), [run]);
      expect(await deleteExpired(clientDb(deleter), [run], locked)).toEqual([run]);
      const started = insertRunOnce(engine.db, start);
      await deleter.query("commit");
      expect(await started).toMatchObject({ created: true });
    } finally {
      deleter.release(true);
    }
  });

  it("many simultaneous workers delete each run once", async () => {
    const workflow = await aWorkflow();
    const runs = await Promise.all(Array.from({ length: 120 }, () => past(workflow, 5).completed()));
    const gone = (await Promise.all([sweep(), sweep(), sweep()])).flat();
    expect(gone.sort()).toEqual([...runs].sort());
  });
});

it("old answers to requests, old times without a run and old places of keys are deleted, too", async () => {
  await engine.rows(
    `insert into handrail.request (key, fingerprint, created_at)
     select 'old-' || n, 'f', clock_timestamp() - interval '31 days' from generate_series(1, 5) n
     union all select 'young', 'f', clock_timestamp()`,
  );
  await engine.rows(
    `insert into handrail.firing (schedule, nominal_at, status, cause, reason, fired_at) values
     ('s', now() - interval '40 days', 'skipped', 'time', 'r', now() - interval '40 days'),
     ('s', now() - interval '1 day', 'skipped', 'time', 'r', now() - interval '1 day')`,
  );
  await engine.rows(
    `insert into handrail.placed_key (digest, cell, placed_at)
     select sha256(n::text::bytea), 'cell ' || n, clock_timestamp() - n * interval '20 days' from generate_series(1, 3) n`,
  );
  await sweep();
  expect(await engine.rows("select key from handrail.request")).toEqual([{ key: "young" }]);
  expect(await engine.rows("select from handrail.firing")).toHaveLength(1);
  expect(await engine.rows("select cell from handrail.placed_key")).toEqual([{ cell: "cell 1" }]);
});

it("the next deletion is reported", async () => {
  const workflow = await aWorkflow();
  await past(workflow, 3).completed();
  await past(workflow, 0.5).completed();
  const row = (await listRetention(engine.db)).find((row) => row.workflow === workflow.name);
  expect(row).toMatchObject({ due: 1, retention: { completedMs: DAY } });
  expect(Math.abs(Number(row?.next_at) - (Date.now() + DAY / 2))).toBeLessThan(60_000);
  await sweep();
});
