import { setTimeout as delay } from "node:timers/promises";
import type { Bench } from "../bench";
import { ChildWorker } from "../child-process";
import { median } from "../figure";
import { drain, killAll } from "../machines";
import { partitionOf } from "./fill";
import { DRAINED, WARM_UP } from "./measure-daily";

const DROPPED = 5;
const PAUSE_MS = 200;

export interface Dropped {
  /** From the order to its commit, the lock waited for, while a worker drains. */
  dropMs: number;
  dropWalBytes: number;
}

/** Partitions of whole days go, one after the other, while a worker writes into the newest. */
export async function dropDays(bench: Bench): Promise<Dropped> {
  const worker = await ChildWorker.start(bench.databaseUrl);
  await drain(bench, WARM_UP);
  const took: number[] = [];
  const draining = drain(bench, DRAINED);
  for (let day = 1; day <= DROPPED; day++) {
    await delay(PAUSE_MS);
    const since = performance.now();
    await bench.pool.query(`drop table ${partitionOf(day)}`);
    took.push(performance.now() - since);
  }
  await draining;
  await killAll(bench, [worker]);
  return { dropMs: median(took), dropWalBytes: await walOfDrop(bench) };
}

/** Of one more day, with no one beside. */
async function walOfDrop({ pool }: Bench): Promise<number> {
  const position = async () =>
    (await pool.query("select (pg_current_wal_insert_lsn() - '0/0')::float8 as at")).rows[0].at as number;
  const before = await position();
  await pool.query(`drop table ${partitionOf(DROPPED + 1)}`);
  return (await position()) - before;
}
