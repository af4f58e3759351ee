import type { Db, Statement } from "../../../lib/store/db";
import { RetentionWalk } from "../../../lib/worker/duties/retention";
import { RetentionLoop } from "../../../lib/worker/duties/retention-loop";
import type { Bench } from "../bench";
import { ChildWorker } from "../child-process";
import { median } from "../figure";
import { drain, killAll } from "../machines";
import { costSoFar, difference } from "../server-cost";
import { DAY_MS, DAYS, type Filling, STORED } from "./fill";
import { DRAINED, ROUNDS, WARM_UP } from "./measure-daily";

export interface Deleting {
  serverUsPerRun: number;
  walBytesPerRun: number;
  runsPerSecond: number;
  /** Steps a second by a worker while runs are deleted as workers delete them, against none. */
  beside: number;
}

/** The first day expires: a walk deletes half of it without a pause, then a worker's loop goes on beside drains. */
export async function measureDeleting(bench: Bench, { runs, sinceMs }: Filling, db: Db): Promise<Deleting> {
  await keepFrom(bench, sinceMs + DAY_MS);
  const before = await costSoFar(bench.pool);
  const since = performance.now();
  const walk = new RetentionWalk(db);
  let gone = 0;
  while (gone < runs / DAYS / 2) gone += (await walk.step()).gone.length;
  const seconds = (performance.now() - since) / 1_000;
  const cost = difference(before, await costSoFar(bench.pool));
  return {
    serverUsPerRun: (cost.serverCpuMs * 1_000) / gone,
    walBytesPerRun: cost.walBytes / gone,
    runsPerSecond: gone / seconds,
    beside: await besideDeletes(bench, db),
  };
}

const keepFrom = ({ pool }: Bench, ms: number) =>
  pool.query("update handrail.workflow set retention = $1 where name = $2", [{ completedMs: Date.now() - ms }, STORED]);

/** In turn, so that other load on the machine affects both. */
async function besideDeletes(bench: Bench, db: Db): Promise<number> {
  const worker = await ChildWorker.start(bench.databaseUrl);
  await drain(bench, WARM_UP);
  const [alone, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await drain(bench, DRAINED));
    let gone = 0;
    const loop = new RetentionLoop(db, {
      onGone: (ids) => {
        gone += ids.length;
      },
      onTrouble: (error) => {
        throw error;
      },
    });
    loop.start();
    beside.push(await drain(bench, DRAINED));
    await loop.stop();
    if (gone === 0) throw new Error("Nothing was deleted beside the drain: the day was over before.");
  }
  await killAll(bench, [worker]);
  return median(beside) / median(alone);
}

/** The walk's deletes without those of steps: their partition is to be dropped. */
export function withoutSteps(db: Db): Db {
  const STEPS = "no_step as (delete from handrail.step using gone where run_id = gone.id), ";
  const stripped = ({ name, text }: Statement): Statement => ({ name, text: text.replace(STEPS, "") });
  return {
    query: (statement, values) => db.query(stripped(statement), values),
    transaction: (body) => db.transaction((tx) => body(withoutSteps(tx))),
  };
}
