import { randomUUID } from "node:crypto";
import { prepareStart } from "../../lib/engine/runs/start";
import { createPool } from "../../lib/store/database/pools";
import { type Db, poolDb } from "../../lib/store/db";
import { insertRunOnce } from "../../lib/store/runs/start-run";
import { tryRecordStep } from "../../lib/store/steps/record-step";
import { INTO_STEP, UNLESS_KEPT } from "../../lib/store/steps/upsert-step";
import type { StepRecord } from "../../lib/store/workers/claim-record";
import { claimOwn } from "../../lib/store/workers/claim-runs";
import type { Bench } from "./bench";
import { atMost, type Figure, median, ms } from "./figure";
import { threeSteps } from "./workflows";

const ROUNDS = 5;
const TIMES = 400;

const STARTED_AND_CLAIMED = "a run started and claimed";

type Write = (n: number) => Promise<unknown>;

/**
 * One write alone after the other, with what a worker's statements have added one by one: what limits a long run, a pick-up and
 * whatever else sends few records at a time. Beside an insert of the same row into a table without rules; in turn, medians.
 */
export async function smallWrites(bench: Bench): Promise<Figure[]> {
  // As a worker's: one plan for each statement.
  const pool = createPool({
    databaseUrl: bench.databaseUrl,
    name: "small-writes",
    max: 1,
    statementTimeoutMs: 60_000,
    idleInTransactionMs: 60_000,
    onePlan: true,
  });
  const db = poolDb(pool);
  for (const [table, of] of [
    ["bare_step", "step including defaults including indexes"],
    ["ruled_step", "step including all"],
    ["bare_run", "run including defaults including indexes"],
    ["ruled_run", "run including all"],
  ])
    await pool.query(`create table ${table} (like handrail.${of})`);
  const writes = await writesOf(db);
  const times = new Map(Object.keys(writes).map((name) => [name, [] as number[]]));
  for (let n = 0; n < ROUNDS * TIMES; n += TIMES)
    for (const [name, write] of Object.entries(writes))
      for (let m = n; m < n + TIMES; m++) {
        const since = performance.now();
        await write(m);
        times.get(name)?.push(performance.now() - since);
      }
  await pool.end();
  const [base = 0] = [...times.values()].map(median);
  return [...times].map(([name, taken]) => ({
    measure: `${name}, in inserts of a row without rules`,
    measured: ms(median(taken)),
    value: median(taken) / base,
    target: atMost(name === STARTED_AND_CLAIMED ? 4 : 1.3),
  }));
}

async function writesOf(db: Db): Promise<Record<string, Write>> {
  const [worker] = await db.query<{ id: number }>(
    {
      name: "bench-worker",
      text: "insert into handrail.worker (name, workflows, concurrency, lease_expires_at) values ('bench', '{}', 1, clock_timestamp() + interval '1 hour') returning id",
    },
    [],
  );
  const workerId = worker?.id ?? 0;
  const runId = await heldRun(db, workerId);
  await db.query({ name: "bare-run", text: "insert into bare_run select * from handrail.run where id = $1" }, [runId]);
  await db.query({ name: "ruled-run", text: "insert into ruled_run select * from handrail.run where id = $1" }, [
    runId,
  ]);
  const inserted = (table: string, more = ""): Write => {
    const name = `into-${table}${more && "-unless-kept"}`;
    const text = `${INTO_STEP.replace("handrail.step", table)}
      select $1::uuid, 'step-' || $2::int, 0, 'step', 'idempotent', 'completed', $2::int, $2::int, 1, 0, 5, 0, '{"n":1}', null, null, false, null, $3::bigint,
        clock_timestamp(), clock_timestamp(), null, null, null ${more}`;
    return (n) => db.query({ name, text }, [randomUUID(), n, workerId]);
  };
  const changed = (table: string): Write => {
    const text = `update ${table} set claim_trace = $2 where id = $1::uuid`;
    return (n) => db.query({ name: `change-${table}`, text }, [runId, `${n}`]);
  };
  return {
    "a step's row into a table without rules": inserted("bare_step"),
    "… with the rules of handrail.step": inserted("ruled_step"),
    "… into handrail.step, with its triggers": inserted("handrail.step"),
    "… unless it is kept": inserted("handrail.step", UNLESS_KEPT),
    "a worker's record: the same under the lock of its run": (n) =>
      tryRecordStep(db, { runId, epoch: 1, step: completed(n, workerId) }),
    "a run's row changed in a table without rules": changed("bare_run"),
    "… with the rules of handrail.run": changed("ruled_run"),
    "… in handrail.run, with its triggers": changed("handrail.run"),
    [STARTED_AND_CLAIMED]: async (n) => {
      await insertRunOnce(db, await prepareStart(threeSteps, { n }));
      await claimOwn(db, workerId, [threeSteps], 400, null);
    },
    "a claim that finds nothing": () => claimOwn(db, workerId, [threeSteps], 400, null),
  };
}

async function heldRun(db: Db, workerId: number): Promise<string> {
  await insertRunOnce(db, await prepareStart(threeSteps, { n: 0 }));
  const { runs } = await claimOwn(db, workerId, [threeSteps], 1, null);
  const [run] = runs;
  if (!run) throw new Error("The run was not claimed.");
  return run.id;
}

const completed = (n: number, workerId: number): StepRecord => ({
  name: `record-${n}`,
  generation: 0,
  kind: "step",
  effect: "idempotent",
  status: "completed",
  position: n,
  finishedPosition: n,
  attempt: 1,
  failures: 0,
  maxAttempts: 5,
  keyGeneration: 0,
  output: '{"n":1}',
  error: null,
  reference: null,
  canAsk: false,
  doubt: null,
  workerId,
  startedMsAgo: 0,
  next: null,
  compensationMode: null,
  instructions: null,
});
