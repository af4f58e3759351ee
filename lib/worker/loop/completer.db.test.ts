import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { claimOne } from "../../testing/rows/claims";
import { until } from "../../testing/until";
import { startUntold } from "../../testing/workers/a-worker";
import { anEngine } from "../../testing/workers/engine";
import { PAUSE_MS } from "../claims/claim-pause";

const engine = anEngine();
const input = z.object({});

it("a worker takes over from every worker that falls silent, one after the other", async () => {
  const workflow = defineWorkflow({ name: "completer", input }, (ctx) => ctx.step("a", () => "a"));
  const lost = [];
  for (let index = 0; index < 3; index++) {
    await engine.start(workflow);
    lost.push(await claimOne(engine.db, workflow));
  }
  await engine.worker([workflow], { leaseMs: 800 });
  for (const { id, workerId } of lost) {
    await engine.rows(
      "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where id = $1",
      [workerId],
    );
    const { run, lostClaims } = await engine.untilEnded(id);
    expect(run).toMatchObject({ status: "completed", output: "a" });
    expect(lostClaims).toBe(1);
  }
});

it("a worker whose beats are far apart takes over when the leases of silent ones end, and not with its next beat", async () => {
  const workflow = defineWorkflow({ name: "rare-beats", input }, (ctx) => ctx.step("a", () => "a"));
  const lost: string[] = [];
  for (const seconds of [6, 9]) {
    lost.push(await engine.start(workflow));
    const { workerId } = await claimOne(engine.db, workflow);
    await engine.rows(
      `update handrail.worker set heartbeat_at = clock_timestamp() - interval '1 min',
         lease_expires_at = clock_timestamp() + $2 * interval '1 s' where id = $1`,
      [workerId, seconds],
    );
  }
  // The second beat comes after 15 s, a quarter of the lease.
  await engine.worker([workflow], { leaseMs: 60_000 });
  const statuses = () => Promise.all(lost.map(async (runId) => (await engine.historyOf(runId)).run.status));
  await until("Both take-overs", async () => (await statuses()).every((status) => status === "completed"), 14_000);
});

it("workers find a run whose start was not published", async () => {
  const workflow = defineWorkflow({ name: "no-note", input }, async () => "found");
  await engine.worker([workflow]);
  await until("The worker's ear", async () => {
    const listening = await engine.rows(
      "select from pg_stat_activity where datname = current_database() and application_name = 'handrail listener' and state = 'idle'",
    );
    return listening.length > 0;
  });
  // After its first checks.
  await delay(200);
  const runId = await startUntold(engine.db, workflow);
  // By the next glance, far sooner than by the longest pause between two claims.
  await until("The end", async () => (await engine.historyOf(runId)).run.status === "completed", PAUSE_MS * 0.7);
  expect((await engine.historyOf(runId)).run.output).toBe("found");
});
