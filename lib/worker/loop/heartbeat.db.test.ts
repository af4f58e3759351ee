import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const LEASE_MS = 1_000;

it("a worker keeps its lease and its runs while the news takes longer than a lease", async () => {
  let goOn = () => {};
  const workflow = defineWorkflow({ name: "unheard", input: z.object({}) }, (ctx) =>
    ctx.step("one", () => new Promise<void>((resolve) => (goOn = resolve))),
  );
  const runId = await engine.start(workflow);
  const worker = await engine.worker([workflow], { leaseMs: LEASE_MS });
  await engine.untilRun(runId, ({ run }) => run.status === "running");
  // As a migration would: only news reads it.
  const other = await engine.database.pool.connect();
  const hung = "select from pg_stat_activity where wait_event_type = 'Lock' and application_name like '%heartbeat'";
  try {
    await other.query("begin; lock table handrail.drain in access exclusive mode");
    await delay(3 * LEASE_MS);
    await until("News that hang", async () => (await engine.rows(hung)).length > 0);
    expect(worker.isLost()).toBe(false);
    goOn();
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", epoch: 1 });
  } finally {
    await other.query("rollback");
    other.release();
  }
});
