import { z } from "zod";
import { defineWorkflow } from "../../lib/engine/workflows/workflow";
import { claimRuns } from "../../lib/store/workers/claim-runs";
import { registerWorker } from "../../lib/store/workers/workers";
import { claimFromQueues } from "../../lib/worker/queues/claim-from-queues";
import type { Bench } from "./bench";
import { atMost, type Figure, median, ms } from "./figure";

const KEYS = 100_000;
const CLAIMS = 40;
const LIMIT = 20;

const input = z.object({});
const limited = defineWorkflow(
  { name: "limited", input, concurrency: { limit: 1, key: () => "" } },
  async () => undefined,
);
const free = defineWorkflow({ name: "free", input }, async () => undefined);

/**
 * A claim of 20 runs from queues, beside 100,000 keys that are blocked and one of them with a long queue, and among 100,000
 * keys that are ready; each against the unlimited claim on the same database.
 */
export async function queues(bench: Bench): Promise<Figure[]> {
  const { db, pool } = bench;
  const names = [limited.name, free.name];
  const worker = await registerWorker(db, { name: "bench", workflows: names, concurrency: 1, leaseMs: 600_000 });
  await fill(bench, free.name, 10_000, "null");
  await fill(bench, limited.name, 1_000, "n::text");
  await takeInNotes(bench);
  const few = await medianMs(() => claimFromQueues(db, worker, [limited], LIMIT));
  // Every key has a run that is worked on and one that waits; the first has fifty thousand that wait.
  await fill(bench, limited.name, KEYS, "'k' || n");
  await fill(bench, limited.name, 50_000, "'k1'");
  await pool.query(
    "update handrail.run set status = 'running', worker_id = $1, epoch = 1 where workflow = $2 and status = 'pending' and queue_key like 'k%' and id in (select distinct on (queue_key) id from handrail.run where workflow = $2)",
    [worker, limited.name],
  );
  await fill(bench, limited.name, KEYS, "'k' || n");
  await takeInNotes(bench);
  await pool.query("update handrail.queue_lane set ready = false where key like 'k%'");
  await fill(bench, limited.name, CLAIMS * LIMIT, "'r' || n");
  await takeInNotes(bench);
  const besideBlocked = await medianMs(() => claimFromQueues(db, worker, [limited], LIMIT));
  const unlimited = await medianMs(() => claimRuns(db, worker, [free], LIMIT));
  await fill(bench, limited.name, KEYS, "'ready' || n");
  await takeInNotes(bench);
  const amongReady = await medianMs(() => claimFromQueues(db, worker, [limited], LIMIT));
  return [
    {
      measure: "a claim from queues beside 100,000 blocked keys, against 1,000 keys",
      measured: `${ms(besideBlocked)} against ${ms(few)}`,
      value: besideBlocked / few,
      target: atMost(1.5),
    },
    {
      measure: "… among 100,000 keys that are ready",
      measured: ms(amongReady),
      value: amongReady / few,
      target: atMost(1.5),
    },
    {
      measure: "… against the unlimited claim",
      measured: `${ms(besideBlocked)} against ${ms(unlimited)}`,
      value: besideBlocked / unlimited,
      target: atMost(5),
    },
  ];
}

async function fill({ pool }: Bench, workflow: string, count: number, key: string): Promise<void> {
  await pool.query(
    `insert into handrail.run (id, workflow, version, input, queue_key)
     select gen_random_uuid(), $1, 1, '{}', ${key} from generate_series(1, $2::int) as n`,
    [workflow, count],
  );
}

/** As the first claims would, a thousand notes at a time. */
async function takeInNotes({ pool }: Bench): Promise<void> {
  await pool.query(
    `with note as (delete from handrail.queue_note returning workflow, key)
     insert into handrail.queue_lane (workflow, key) select distinct workflow, key from note on conflict do nothing`,
  );
  await pool.query("vacuum analyze handrail.run, handrail.queue_lane, handrail.queue_note");
}

async function medianMs(claim: () => Promise<{ runs: unknown[] }>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < CLAIMS; n++) {
    const since = performance.now();
    const { runs } = await claim();
    times.push(performance.now() - since);
    if (runs.length !== LIMIT) throw new Error(`A claim brought ${runs.length} runs instead of ${LIMIT}.`);
  }
  return median(times);
}
