import { claimRuns } from "../../lib/store/workers/claim-runs";
import { registerWorker } from "../../lib/store/workers/workers";
import type { Bench } from "./bench";
import { atMost, type Figure, median, ms } from "./figure";

const MILLION = 1_000_000;
const CLAIMS = 40;
const LIMIT = 20;

/** A claim of 20 runs out of a thousand, out of a million, beside a million that sleep, and beside a million of another worker's version. */
export async function backlog(bench: Bench): Promise<Figure[]> {
  const worker = await registerWorker(bench.db, {
    name: "bench",
    workflows: ["backlog"],
    concurrency: 1,
    leaseMs: 600_000,
  });
  await fillPending(bench, "backlog", 1_000, "null");
  const small = await claimMs(bench, worker);
  await fillPending(bench, "sleepers", MILLION, "clock_timestamp() + interval '1 day'");
  await fillPending(bench, "backlog", 1_000, "null");
  const besideSleepers = await claimMs(bench, worker);
  await fillPending(bench, "backlog", MILLION, "null");
  const large = await claimMs(bench, worker);
  const versions = { backlog: [1] };
  await registerWorker(bench.db, { name: "other", workflows: ["backlog"], versions, concurrency: 1, leaseMs: 600_000 });
  await fillPending(bench, "backlog", 1_000, "null", 2);
  const besideOlder = await claimMs(bench, worker, 2);
  return [
    {
      measure: "a claim with 1,000,000 pending, against 1,000",
      measured: `${ms(large)} against ${ms(small)}`,
      value: large / small,
      target: atMost(1.2),
    },
    {
      measure: "… with 1,000,000 asleep",
      measured: ms(besideSleepers),
      value: besideSleepers / small,
      target: atMost(1.2),
    },
    {
      measure: "… with 1,000,000 pending of a version that another worker has",
      measured: ms(besideOlder),
      value: besideOlder / small,
      target: atMost(1.5),
    },
  ];
}

export async function fillPending(
  { pool }: Bench,
  workflow: string,
  count: number,
  dueAt: string,
  version = 1,
): Promise<void> {
  await pool.query(
    `insert into handrail.run (id, workflow, version, input, due_at)
     select gen_random_uuid(), $1, $3::int, '{}', ${dueAt} from generate_series(1, $2::int)`,
    [workflow, count, version],
  );
  await pool.query("vacuum analyze handrail.run");
}

export async function claimMs({ db, pool }: Bench, worker: number, version = 1): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < CLAIMS; n++) {
    const since = performance.now();
    const claimed = await claimRuns(db, worker, [{ name: "backlog", version, timeoutMs: undefined }], LIMIT);
    times.push(performance.now() - since);
    if (claimed.runs.length !== LIMIT)
      throw new Error(`A claim brought ${claimed.runs.length} runs instead of ${LIMIT}.`);
  }
  await pool.query("delete from handrail.run where worker_id = $1", [worker]);
  return median(times);
}
