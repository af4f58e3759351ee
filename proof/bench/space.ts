import { prepareStart } from "../../lib/engine/runs/start";
import { insertManyRuns } from "../../lib/store/runs/start-run";
import { type Bench, startWorker, untilDone } from "./bench";
import { ChildWorker } from "./child-process";
import { atMost, type Figure } from "./figure";
import { residentMb } from "./latency";
import { threeSteps } from "./workflows";

const RUNS = 5_000;
const TABLES = ["run", "step", "attempt", "run_tag"];

/** What a finished run takes on disk, and what a worker's memory grows by beside a million stored ones. */
export async function space(bench: Bench): Promise<Figure[]> {
  const idle = await idleMemory(bench);
  const bytes = await bytesPerRun(bench);
  await bench.pool.query(
    `insert into handrail.run (id, workflow, version, status, input, output, started_at, finished_at)
     select gen_random_uuid(), 'three-steps', 1, 'completed', '{"n":1}', '3', now(), now() from generate_series(1, 1000000)`,
  );
  const beside = await idleMemory(bench);
  return [
    {
      measure: "a finished run of 3 steps with its indexes",
      measured: `${Math.round(bytes)} bytes`,
      value: bytes,
      target: atMost(1_500),
    },
    {
      measure: "worker memory beside 1,000,000 stored runs, above an idle one",
      measured: `${Math.round(beside - idle)} MB`,
      value: beside - idle,
      target: atMost(150),
    },
  ];
}

async function bytesPerRun(bench: Bench): Promise<number> {
  await emptyRuns(bench);
  await insertManyRuns(
    bench.db,
    await Promise.all(Array.from({ length: RUNS }, (_, n) => prepareStart(threeSteps, { n }))),
  );
  const worker = await startWorker(bench, { workflows: [threeSteps] });
  await untilDone(bench, threeSteps.name);
  await worker.stop();
  return (await storedBytes(bench)) / RUNS;
}

export async function emptyRuns({ pool }: Bench): Promise<void> {
  for (const table of TABLES) await pool.query(`truncate handrail.${table}`);
}

/** Of all runs, with their indexes, freshly written. */
export async function storedBytes({ pool }: Bench): Promise<number> {
  let total = 0;
  for (const table of TABLES) {
    await pool.query(`vacuum full handrail.${table}`);
    const { rows } = await pool.query("select pg_total_relation_size($1::regclass)::float8 as bytes", [
      `handrail.${table}`,
    ]);
    total += rows[0].bytes;
  }
  return total;
}

async function idleMemory(bench: Bench): Promise<number> {
  const child = await ChildWorker.start(bench.databaseUrl);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const megabytes = residentMb(child.pid);
  await child.kill();
  return megabytes;
}
