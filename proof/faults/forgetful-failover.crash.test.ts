import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../lib/engine/workflows/workflow";
import { poolDb } from "../../lib/store/db";
import { historyOf, untilEnded, untilRun } from "../../lib/testing/database/history";
import { expectInvariants } from "../../lib/testing/database/invariants";
import { gate, until } from "../../lib/testing/until";
import { start, startWorker } from "../../lib/testing/workers/a-worker";
import { type Pair, startPair } from "./standby";

/*
 * Asynchronous replication: the standby that takes over has never received the last claims and outcomes. Acknowledged
 * data is lost with them; but no worker may act on a lost claim, whose epoch the new primary assigns again.
 */

let folder: string;
let pair: Pair;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "handrail-forgetful-"));
  await chmod(folder, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  pair = await startPair(folder, { synchronous: false });
});
afterAll(async () => {
  await pair?.database.drop();
  await rm(folder, { recursive: true, force: true });
});

it("a claim that the new primary has forgotten ends before it can write there", async () => {
  const { database } = pair;
  const bodies: string[] = [];
  const held = gate();
  const workflow = defineWorkflow({ name: "forgotten", input: z.object({}) }, async (ctx) => {
    await ctx.step("first", ({ attempt }) => void bodies.push(`first ${attempt}`));
    await ctx.step("second", async () => {
      bodies.push("second");
      if (bodies.length === 2) await held.opened;
      return bodies.length;
    });
  });
  const runId = await start(poolDb(database.pool), workflow);
  await until("The standby's copy of the run", () => pair.hasCaughtUp());
  await pair.fallBehind();
  const stale = await startWorker(database, [workflow], { leaseMs: 120_000 });
  await untilRun(database.pool, runId, ({ steps }) => steps.some(({ name }) => name === "second"));

  await pair.killPrimary();
  await pair.promote();
  expect((await historyOf(database.pool, runId)).run).toMatchObject({ status: "pending", epoch: 0 });
  await until("The end of the claims", () => stale.isLost());

  const fresh = await startWorker(database, [workflow], { leaseMs: 120_000 });
  const { run, steps } = await untilEnded(database.pool, runId);
  held.open();
  await stale.stop(100);
  await fresh.stop();
  expect(run).toMatchObject({ status: "completed", epoch: 1 });
  expect(steps.map(({ name, output }) => [name, output])).toEqual([
    ["first", undefined],
    ["second", 4],
  ]);
  // A kept outcome was forgotten, so its body ran again.
  expect(bodies).toEqual(["first 1", "second", "first 1", "second"]);
  await expectInvariants(database.pool);
});
