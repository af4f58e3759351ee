import { prepareEvent } from "../../lib/engine/events/prepare-event";
import { prepareStart } from "../../lib/engine/runs/start";
import { Notifier } from "../../lib/store/database/notifier";
import { sendEvent } from "../../lib/store/events/send-event";
import { insertManyRuns } from "../../lib/store/runs/start-run";
import type { Bench } from "./bench";
import { ChildWorker } from "./child-process";
import { atMost, type Figure, median, ms } from "./figure";
import { resumed } from "./workflows";

const RUNS = 200;

/** From a committed event to the body of the step after the wait, in another process that is otherwise idle. */
export async function events(bench: Bench): Promise<Figure[]> {
  const { db } = bench;
  const ids = await insertManyRuns(
    db,
    await Promise.all(Array.from({ length: RUNS }, () => prepareStart(resumed, {}))),
  );
  const child = await ChildWorker.start(bench.databaseUrl);
  await untilAsleep(bench);
  const notifier = new Notifier(db);
  const times: number[] = [];
  for (const runId of ids) {
    const since = performance.timeOrigin + performance.now();
    await sendEvent(db, await prepareEvent("go", null, { runId }));
    notifier.work();
    times.push((await child.nextTold()).at - since);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await notifier.close();
  await child.kill();
  const p50 = median(times);
  return [
    {
      measure: "event → resumed step in another process, p50, in B1 inserts",
      measured: ms(p50),
      value: (p50 * bench.b1) / 1_000,
      target: atMost(20),
    },
  ];
}

async function untilAsleep({ pool }: Bench): Promise<void> {
  const asleep = "select count(*)::int as asleep from handrail.run where workflow = $1 and status = 'waiting'";
  while ((await pool.query(asleep, [resumed.name])).rows[0].asleep < RUNS)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
