import { countAll } from "../../lib/worker/duties/rollup-loop";
import type { Bench } from "./bench";
import { atLeast, atMost, type Figure, perSecond } from "./figure";
import { drain } from "./throughput";

/** Long enough that the count, which pauses for 3 s when there is nothing to do, goes on beside much of a drain. */
const RUNS = 50_000;
const ROUNDS = 3;

/** The indexes that counting uses, and the list by latest end. */
const INDEXES = ["run_ended", "run_by_end"];

/** What counting for the charts costs the workers: drains with it, and without it and the indexes by end, in turn. */
export async function rollups(bench: Bench): Promise<Figure[]> {
  await drain(bench, 400, 4_000);
  const counted: Drained[] = [];
  const uncounted: Drained[] = [];
  const turns = [
    async () => counted.push(await drain(bench, 400, RUNS)),
    async () => uncounted.push(await withoutCounting(bench, () => drain(bench, 400, RUNS))),
  ];
  for (let round = 0; round < ROUNDS; round++)
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
      await turn();
      await countAll(bench.db, () => false);
    }
  const rate = (drains: Drained[]) => median(drains.map(({ perSecond }) => perSecond));
  const cpuMs = (drains: Drained[]) => median(drains.map(({ cost }) => cost.cpuMs / (RUNS * 3)));
  return [
    {
      measure: `${RUNS.toLocaleString("en")} runs of 3 steps, counted for the charts, against uncounted`,
      measured: `${perSecond(rate(counted))} against ${perSecond(rate(uncounted))}`,
      value: rate(counted) / rate(uncounted),
      target: atLeast(0.95),
    },
    {
      measure: "the same, processor time a step",
      measured: `${cpuMs(counted).toFixed(4)} ms against ${cpuMs(uncounted).toFixed(4)} ms`,
      value: cpuMs(counted) / cpuMs(uncounted),
      target: atMost(1.05),
    },
  ];
}

type Drained = Awaited<ReturnType<typeof drain>>;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Holding the fold's row keeps every process from counting. */
async function withoutCounting<Answer>({ pool }: Bench, work: () => Promise<Answer>): Promise<Answer> {
  const { rows } = await pool.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where schemaname = 'handrail' and indexname = any ($1)",
    [INDEXES],
  );
  for (const index of INDEXES) await pool.query(`drop index handrail.${index}`);
  const holder = await pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select from handrail.rollup_fold for update");
    return await work();
  } finally {
    await holder.query("rollback");
    holder.release();
    for (const { indexdef } of rows) await pool.query(indexdef);
  }
}
