import { performance } from "node:perf_hooks";
import { prepareStart } from "../../lib/engine/runs/start";
import { listHoldingProblems } from "../../lib/store/reads/problems";
import { insertManyRuns } from "../../lib/store/runs/start-run";
import { foldAll } from "../../lib/worker/duties/problem-loop";
import { type Bench, startWorker, untilDone } from "./bench";
import { atLeast, atMost, type Figure, median, ms, perSecond } from "./figure";
import { failing } from "./workflows";

const RUNS = 2_000;
const ROUNDS = 3;
const HOUR_OF_FAILURES = 100_000;

/**
 * Cost of grouping failures into problems: 2,000 runs fail at once, with and without the triggers and the fold. Then
 * how fast the failures of a bad hour are folded, and how fast problems are read behind them.
 */
export async function problems(bench: Bench): Promise<Figure[]> {
  await failAll(bench, 500);
  const [told, untold]: [number[], number[]] = [[], []];
  // Measured in turn: neither has the colder machine.
  for (let round = 0; round < ROUNDS; round++) {
    await triggers(bench, "disable");
    untold.push(await failAll(bench, RUNS));
    await triggers(bench, "enable");
    told.push(await failAll(bench, RUNS));
  }
  const ratio = median(told) / median(untold);
  const foldedPerSecond = await foldAnHour(bench);
  const readMs = await readOverview(bench);
  return [
    {
      measure: "runs that fail, told as problems, per run that fails untold",
      measured: `${perSecond(median(told))} of ${perSecond(median(untold))}`,
      value: ratio,
      target: atLeast(0.75),
    },
    {
      measure: "100,000 failures of an hour, folded per second",
      measured: perSecond(foldedPerSecond),
      value: foldedPerSecond,
      target: atLeast(2_000),
    },
    {
      measure: "problems that hold most, behind 100,000 failed runs",
      measured: ms(readMs),
      value: readMs,
      target: atMost(20),
    },
  ];
}

const triggers = (bench: Bench, what: "enable" | "disable") =>
  bench.pool.query(
    `alter table handrail.run ${what} trigger trouble_begun, ${what} trigger trouble_changed, ${what} trigger trouble_deleted`,
  );

/** Per second, with the fold beside it in the same process. */
async function failAll(bench: Bench, runs: number): Promise<number> {
  await insertManyRuns(
    bench.db,
    await Promise.all(Array.from({ length: runs }, (_, n) => prepareStart(failing, { n }))),
  );
  const since = performance.now();
  const worker = await startWorker(bench, { workflows: [failing] });
  await untilDone(bench, failing.name);
  const seconds = (performance.now() - since) / 1_000;
  await worker.stop();
  await foldAll(bench.db, () => false);
  return runs / seconds;
}

async function foldAnHour(bench: Bench): Promise<number> {
  await bench.pool.query(
    `insert into handrail.run (id, workflow, version, status, input, attention, failed_step, error, started_at, finished_at)
     select gen_random_uuid(), 'hour-' || n % 20, 1, 'failed', '{}', 'failed', 'charge',
       json_build_object('name', 'ServiceUnavailable', 'message', 'connect ECONNREFUSED 10.0.0.' || n % 250 || ':' || 1000 + n,
         'stack', repeat('    at charge (file:///srv/app/payments.js:12:34)' || chr(10), 10))::text, now(), now()
     from generate_series(1, $1::int) as n`,
    [HOUR_OF_FAILURES],
  );
  const since = performance.now();
  await foldAll(bench.db, () => false);
  return HOUR_OF_FAILURES / ((performance.now() - since) / 1_000);
}

async function readOverview({ db }: Bench): Promise<number> {
  const took: number[] = [];
  for (let time = 0; time < 20; time++) {
    const since = performance.now();
    await listHoldingProblems(db, 8);
    took.push(performance.now() - since);
  }
  return median(took);
}
