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

it("a worker whose beats are far apart takes over when the lease of a silent one ends, and not with its next beat", async () => {
  const workflow = defineWorkflow({ name: "rare-beats", input }, (ctx) => ctx.step("a", () => "a"));
  const runId = await engine.start(workflow);
  const { workerId } = await claimOne(engine.db, workflow);
  await engine.rows(
    `update handrail.worker set heartbeat_at = clock_timestamp() - interval '1 min', lease_expires_at = clock_timestamp() + interval '4 s'
     where id = $1`,
    [workerId],
  );
  const leaseMs = 60_000;
  await engine.worker([workflow], { leaseMs });
  const completed = async () => (await engine.historyOf(runId)).run.status === "completed";
  // Of the beats, the second one comes after a quarter of the lease.
  await until("The take-over", completed, leaseMs / 5);
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
