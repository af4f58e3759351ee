import { prepareStart } from "../lib/engine/start";
import { insertManyRuns, insertRunOnce } from "../lib/store/start-run";
import type { Bench } from "./bench";
import { atLeast, type Figure, perSecond } from "./figure";
import { threeSteps } from "./workflows";

const SINGLE = 10_000;
const BULK = 50_000;
const PER_STATEMENT = 5_000;
const IN_FLIGHT = 20;

/** Starts, checked and inserted: one by one with 20 in flight, and many in a statement. */
export async function enqueue(bench: Bench): Promise<Figure[]> {
  await oneByOne(bench, 1_000);
  const single = await oneByOne(bench, SINGLE);
  const bulk = await inBulk(bench);
  await bench.pool.query("delete from handrail.run where workflow = $1 and status = 'pending'", [threeSteps.name]);
  return [
    {
      measure: "starts one by one, 20 in flight, per B50 insert",
      measured: perSecond(single),
      value: single / bench.b50,
      target: atLeast(0.35),
    },
    {
      measure: "starts in bulk, per B50 insert",
      measured: perSecond(bulk),
      value: bulk / bench.b50,
      target: atLeast(4),
    },
  ];
}

async function oneByOne({ db }: Bench, count: number): Promise<number> {
  let left = count;
  const since = performance.now();
  const client = async () => {
    while (left-- > 0) await insertRunOnce(db, await prepareStart(threeSteps, { n: left }));
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  return (count / (performance.now() - since)) * 1_000;
}

async function inBulk({ db }: Bench): Promise<number> {
  const since = performance.now();
  for (let start = 0; start < BULK; start += PER_STATEMENT)
    await insertManyRuns(
      db,
      await Promise.all(Array.from({ length: PER_STATEMENT }, (_, n) => prepareStart(threeSteps, { n: start + n }))),
    );
  return (BULK / (performance.now() - since)) * 1_000;
}
