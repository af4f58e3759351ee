import { idAt, timeOfId } from "../../../lib/engine/runs/run-ids";
import { readRun, readRuns } from "../../../lib/operator/runs/reads";
import { registerWorker } from "../../../lib/store/workers/workers";
import { claimMs, fillPending } from "../backlog";
import type { Bench } from "../bench";
import { ChildWorker } from "../child-process";
import { tookOf } from "../console/ask";
import { median } from "../figure";
import { drain, killAll } from "../machines";
import { costSoFar, difference } from "../server-cost";
import { DAY_MS, DAYS, type Filling, STEPS_OF_A_RUN, STORED } from "./fill";

export const DRAINED = 15_000;
export const WARM_UP = 6_000;
export const ROUNDS = 3;
const READS = 200;

export interface Daily {
  stepsPerSecond: number;
  serverUsPerStep: number;
  walBytesPerStep: number;
  claimMs: number;
  /** 95th percentiles of fifty runs of a day in the past, and of one run with its steps, another one each time. */
  listMs: number;
  runMs: number;
}

/** What workers and people feel beside what is stored. */
export async function measureDaily(bench: Bench, { sinceMs }: Filling): Promise<Daily> {
  const worker = await ChildWorker.start(bench.databaseUrl);
  await drain(bench, WARM_UP);
  const before = await costSoFar(bench.pool);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rates.push(await drain(bench, DRAINED));
  const cost = difference(before, await costSoFar(bench.pool));
  await killAll(bench, [worker]);
  const steps = ROUNDS * DRAINED * STEPS_OF_A_RUN;
  return {
    stepsPerSecond: median(rates),
    serverUsPerStep: (cost.serverCpuMs * 1_000) / steps,
    walBytesPerStep: cost.walBytes / steps,
    claimMs: await measureClaim(bench),
    ...(await measureReads(bench, sinceMs)),
  };
}

async function measureClaim(bench: Bench): Promise<number> {
  const registered = { name: "bench", workflows: ["backlog"], concurrency: 1, leaseMs: 600_000 };
  const worker = await registerWorker(bench.db, registered);
  await fillPending(bench, "backlog", 1_000, "null");
  return claimMs(bench, worker);
}

async function measureReads({ db, pool }: Bench, sinceMs: number): Promise<Pick<Daily, "listMs" | "runMs">> {
  const places = Array.from({ length: READS + 1 }, (_, at) =>
    idAt(sinceMs + ((at + 0.5) / (READS + 1)) * DAYS * DAY_MS, "0"),
  );
  const { rows } = await pool.query<{ id: string }>(
    `select found.id::text from unnest($1::uuid[]) with ordinality as place (id, nth)
     cross join lateral (select id from handrail.run where workflow = $2 and run.id > place.id order by run.id limit 1) as found order by md5(found.id::text)`,
    [places, STORED],
  );
  const idOf = (at: number) => (rows[at % rows.length] as { id: string }).id;
  const createdBefore = (at: number) => new Date(timeOfId(idOf(at))).toISOString();
  const list = await tookOf("list", READS, (at) =>
    readRuns(db, { workflow: [STORED], createdBefore: createdBefore(at) }),
  );
  const run = await tookOf("run", READS, (at) => readRun(db, idOf(at)));
  return { listMs: list.p95, runMs: run.p95 };
}
