import { prepareStart } from "../../lib/engine/runs/start";
import { insertManyRuns, insertRunOnce } from "../../lib/store/runs/start-run";
import type { Bench } from "./bench";
import { atLeast, type Figure, median, perSecond } from "./figure";
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
  const bySql = await withNotes(bench);
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
    ...bySql,
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

/** Starts by SQL, whose transaction wakes workers at its commit, against the same without that, in turn. */
async function withNotes({ pool }: Bench): Promise<Figure[]> {
  await pool.query(
    `insert into handrail.workflow (name, version, title) values ('three-steps', 1, 'Three steps') on conflict do nothing`,
  );
  const figures: Figure[] = [];
  for (const inFlight of [1, IN_FLIGHT]) {
    const rates: Record<string, number[]> = { on: [], off: [] };
    for (let round = 0; round < 4; round++)
      for (const notes of round % 2 === 0 ? ["on", "off"] : ["off", "on"])
        rates[notes]?.push(await startsBySql(pool, inFlight, notes));
    const [on, off] = [median(rates.on ?? []), median(rates.off ?? [])];
    figures.push({
      measure: `starts by SQL that wake workers, ${inFlight} in flight, against handrail.notes = off`,
      measured: `${perSecond(on)} against ${perSecond(off)}`,
      value: on / off,
      target: atLeast(inFlight === 1 ? 0.5 : 0.2),
    });
  }
  return figures;
}

async function startsBySql(pool: Bench["pool"], inFlight: number, notes: string): Promise<number> {
  const count = inFlight * 100;
  let left = count;
  const since = performance.now();
  const client = async () => {
    const connection = await pool.connect();
    await connection.query(`set handrail.notes = '${notes}'`);
    while (left-- > 0) await connection.query(`select handrail.start_run('three-steps', '{"n": 1}')`);
    await connection.query("reset handrail.notes");
    connection.release();
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  return (count / (performance.now() - since)) * 1_000;
}
