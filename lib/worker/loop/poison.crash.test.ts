import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { prepareStart } from "../../engine/runs/start";
import { poolDb } from "../../store/db";
import { insertManyRuns } from "../../store/runs/start-run";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker } from "../../testing/processes/crash";
import { oneIn } from "../../testing/sample";
import { innocent, poison } from "../../testing/workflows/poison-workflows";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/poison-workflows.ts", import.meta.url));
/** Long enough for a busy machine; a killed process is noticed before its lease ends. */
const LEASE_MS = 6_000;
/** By then, a run that kills its worker is reported. */
const MOST_LOSSES = 10;

interface Life {
  from: number;
  to: number;
}

/**
 * Innocent runs with bodies of 50 to 250 ms, and among them poisonous ones, each with its milliseconds until it kills.
 */
async function startAll(database: TestDatabase, innocents: number, poisons: readonly number[]): Promise<string[]> {
  const runs = Array.from({ length: innocents }, (_, index) =>
    prepareStart(innocent, { ms: 50 + ((index * 37) % 200) }),
  );
  const every = Math.floor(innocents / (poisons.length + 1));
  for (const [index, ms] of poisons.entries()) runs.splice(every * (index + 1), 0, prepareStart(poison, { ms }));
  return insertManyRuns(poolDb(database.pool), await Promise.all(runs));
}

/** Restarts a worker whenever it has died, until every run has ended; returns the workers' lifetimes. */
async function supervise(database: TestDatabase): Promise<Life[]> {
  const lives: Life[] = [];
  for (;;) {
    const child = ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: LEASE_MS, concurrency: 500 });
    onTestFinished(() => child.kill());
    const over = await untilAllEnded(database, child);
    const to = Date.now();
    const { rows } = await database.pool.query<{ at: Date }>("select max(started_at) as at from handrail.worker");
    lives.push({ from: rows[0]?.at.getTime() ?? 0, to });
    if (over) return lives;
  }
}

/** False: the worker died earlier. */
async function untilAllEnded({ pool }: TestDatabase, child: ChildWorker): Promise<boolean> {
  for (;;) {
    if (child.hasEnded) return false;
    const { rowCount } = await pool.query("select from handrail.run where finished_at is null limit 1");
    if (rowCount === 0) return true;
    await delay(20);
  }
}

/**
 * For each loss of an innocent run: from the worker's end to the run's end or its next loss, without the run's body and
 * the time without a worker.
 */
async function addedDelays({ pool }: TestDatabase, lives: readonly Life[]): Promise<number[]> {
  const { rows } = await pool.query<{ worker: Date; next: Date | null; ended: Date; input: string }>(
    `select worker.started_at as worker, lead(worker.started_at) over (partition by run.id order by lost_claim.epoch) as next,
       run.finished_at as ended, run.input
     from handrail.lost_claim join handrail.run on run.id = run_id join handrail.worker on worker.id = lost_claim.worker_id
     where run.workflow = $1`,
    [innocent.name],
  );
  const lifeOf = (worker: Date) => lives.findIndex(({ from }) => from === worker.getTime());
  return rows.map(({ worker, next, ended, input }) => {
    const until = next ? (lives[lifeOf(next)]?.to ?? 0) : ended.getTime();
    const up = lives.slice(lifeOf(worker) + 1).map(({ from, to }) => Math.max(0, Math.min(to, until) - from));
    return up.reduce((sum, ms) => sum + ms, 0) - (JSON.parse(input) as { ms: number }).ms;
  });
}

const percentile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] as number;

async function statusesOf({ pool }: TestDatabase): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select workflow, status, error::json ->> 'code' as code, count(*)::int as runs from handrail.run group by 1, 2, 3 order by 1, 2`,
  );
  return rows;
}

async function lossesOfPoison({ pool }: TestDatabase): Promise<number[]> {
  const { rows } = await pool.query<{ losses: number }>(
    "select count(lost_claim.*)::int as losses from handrail.run left join handrail.lost_claim on run_id = id where workflow = $1 group by id",
    [poison.name],
  );
  return rows.map(({ losses }) => losses);
}

const CASES = [
  { title: "one kills at once", innocents: 400, poisons: [0] },
  { title: "two kill, one of them late", innocents: 60, poisons: [0, 1_500] },
];

it.each(oneIn(2, CASES))(
  "runs beside those that kill their worker all complete, soon ($title)",
  async ({ innocents, poisons }) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    await callWitness(database.pool);
    await startAll(database, innocents, poisons);
    const lives = await supervise(database);
    const losses = await lossesOfPoison(database);
    const delays = await addedDelays(database, lives);
    expect(await statusesOf(database)).toEqual([
      { workflow: innocent.name, status: "completed", code: null, runs: innocents },
      { workflow: poison.name, status: "failed", code: "poisonous_run", runs: poisons.length },
    ]);
    expect(losses.filter((count) => count > MOST_LOSSES)).toEqual([]);
    expect(percentile(delays, 0.95)).toBeLessThan(LEASE_MS + 2_000);
    await expectInvariants(database.pool);
  },
  120_000,
);
