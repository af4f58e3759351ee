import { newAuditKeys } from "../../lib/engine/audit/audit-keys";
import { defineSchedule } from "../../lib/engine/schedules/schedule";
import { syncSchedules } from "../../lib/store/schedules/sync-schedules";
import { registerWorker } from "../../lib/store/workers/workers";
import { fireDueSchedules } from "../../lib/worker/schedules/fire-schedules";
import type { Bench } from "./bench";
import { atLeast, type Figure, ms, perSecond } from "./figure";
import { threeSteps } from "./workflows";

const SCHEDULES = 1_000;

/** A thousand crons that are due at once, fired by one scheduler: each a run, its row, and its next time computed. */
export async function schedules(bench: Bench): Promise<Figure[]> {
  const all = Array.from({ length: SCHEDULES }, (_, n) =>
    defineSchedule({
      name: `cron-${n}`,
      workflow: threeSteps,
      cron: `${n % 60} ${n % 24} * * *`,
      timeZone: "Europe/Berlin",
      input: { n },
    }),
  );
  await syncSchedules(bench.db, all);
  const workerId = await registerWorker(bench.db, {
    name: "scheduler",
    workflows: [threeSteps.name],
    schedules: all.map(({ name }) => name),
    concurrency: 1,
    leaseMs: 60_000,
  });
  await bench.pool.query(
    "update handrail.schedule set look_at = clock_timestamp() - interval '1 s', nominal_at = clock_timestamp() - interval '1 s'",
  );
  const auditKeys = newAuditKeys();
  const workflows = new Map([[threeSteps.name, threeSteps]]);
  const since = performance.now();
  let fired = 0;
  for (let started = -1; started !== 0; fired += started)
    started = (await fireDueSchedules(bench.db, workerId, workflows, auditKeys)).started.length;
  const tookMs = performance.now() - since;
  if (fired !== SCHEDULES) throw new Error(`${fired} of ${SCHEDULES} schedules were fired.`);
  const rate = (fired / tookMs) * 1_000;
  return [
    {
      measure: `${SCHEDULES} crons due at once, fired by one scheduler, per B50 insert`,
      measured: `${perSecond(rate)}, ${ms(tookMs)} in all`,
      value: rate / bench.b50,
      target: atLeast(0.1),
    },
  ];
}
