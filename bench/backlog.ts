import { claimRuns } from "../lib/store/claim-runs";
import { registerWorker } from "../lib/store/workers";
import type { Bench } from "./bench";
import { atMost, type Figure, median, ms } from "./figure";

const MILLION = 1_000_000;
const CLAIMS = 40;
const LIMIT = 20;

/** A claim of 20 runs out of a thousand, out of a million, and beside a million that sleep. */
export async function backlog(bench: Bench): Promise<Figure[]> {
  const worker = await registerWorker(bench.db, {
    name: "bench",
    workflows: ["backlog"],
    concurrency: 1,
    leaseMs: 600_000,
  });
  await fill(bench, "backlog", 1_000, "null");
  const small = await claimMs(bench, worker);
  await fill(bench, "sleepers", MILLION, "clock_timestamp() + interval '1 day'");
  await fill(bench, "backlog", 1_000, "null");
  const besideSleepers = await claimMs(bench, worker);
  await fill(bench, "backlog", MILLION, "null");
  const large = await claimMs(bench, worker);
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
  ];
}

async function fill({ pool }: Bench, workflow: string, count: number, dueAt: string): Promise<void> {
  await pool.query(
    `insert into handrail.run (id, workflow, version, input, due_at)
     select gen_random_uuid(), $1, 1, '{}', ${dueAt} from generate_series(1, $2::int)`,
    [workflow, count],
  );
  await pool.query("vacuum analyze handrail.run");
}

async function claimMs({ db, pool }: Bench, worker: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < CLAIMS; n++) {
    const since = performance.now();
    const claimed = await claimRuns(db, worker, [{ name: "backlog", timeoutMs: undefined }], LIMIT);
    times.push(performance.now() - since);
    if (claimed.runs.length !== LIMIT)
      throw new Error(`A claim brought ${claimed.runs.length} runs instead of ${LIMIT}.`);
  }
  await pool.query("delete from handrail.run where worker_id = $1", [worker]);
  return median(times);
}
