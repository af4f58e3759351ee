import { prepareStart } from "../../lib/engine/runs/start";
import { insertRunOnce } from "../../lib/store/runs/start-run";
import { type Bench, startWorker, untilDone } from "./bench";
import { atMost, type Figure, ms } from "./figure";
import { manySteps } from "./workflows";

/** One run of many steps, alone: each step's share, and whether the last ones cost more than the first. */
export async function longRuns(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  const b1Ms = 1_000 / bench.b1;
  await oneRun(bench, 500);
  for (const steps of [1_000, 5_000, 10_000]) {
    const { perStepMs, growth } = await oneRun(bench, steps);
    const count = steps.toLocaleString("en");
    figures.push({
      measure: `one run of ${count} steps, per step, in B1 inserts`,
      measured: ms(perStepMs),
      value: perStepMs / b1Ms,
      target: atMost(2),
    });
    figures.push({
      measure: `… its last tenth against its first`,
      measured: growth.toFixed(2),
      value: growth,
      target: atMost(1.1),
    });
  }
  return figures;
}

async function oneRun(bench: Bench, steps: number): Promise<{ perStepMs: number; growth: number }> {
  const worker = await startWorker(bench, { workflows: [manySteps] });
  const { id } = await insertRunOnce(bench.db, await prepareStart(manySteps, { steps }));
  await bench.pool.query("select pg_notify('handrail_work', '')");
  await untilDone(bench, manySteps.name);
  await worker.stop();
  const { rows } = await bench.pool.query(
    `with timed as (
       select extract(epoch from finished_at) * 1000 as at, ntile(10) over (order by finished_position) as tenth
       from handrail.step where run_id = $1
     ), spans as (select tenth, (max(at) - min(at))::float8 as ms from timed group by tenth)
     select (select (max(at) - min(at))::float8 from timed) as total,
       (select ms from spans where tenth = 10) / (select ms from spans where tenth = 1) as growth`,
    [id],
  );
  return { perStepMs: rows[0].total / steps, growth: rows[0].growth };
}
