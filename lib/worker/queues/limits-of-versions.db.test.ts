import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { markWorkerStopped, registerWorker, registerWorkflows } from "../../store/workers/workers";
import { anEngine } from "../../testing/workers/engine";
import { claimFromQueues } from "./claim-from-queues";

// A queue that code closed until an instant, by its own limits, is open for code with other limits.

const engine = anEngine();
const HOURLY = { rateLimit: { limit: 1, perMs: 3_600_000 } };

const aVersion = (name: string, version: number, limits: object = {}) =>
  defineWorkflow({ name, version, input: z.any(), ...limits }, async () => "done");

/** A worker of one version, claimed for by hand. */
async function aWorker(workflow: Workflow, build: string | null = null) {
  await registerWorkflows(engine.db, [workflow]);
  const { name, version } = workflow;
  const given = { name: "by hand", workflows: [name], versions: { [name]: [version] }, concurrency: 10 };
  const id = await registerWorker(engine.db, { ...given, leaseMs: 60_000, build });
  return {
    claim: async () => (await claimFromQueues(engine.db, id, [workflow], 5)).runs.length,
    end: () =>
      engine.rows(
        `update handrail.run set status = 'completed', epoch = epoch + 1, output = '1', worker_id = null,
          finished_at = clock_timestamp() where worker_id = $1`,
        [id],
      ),
    stop: () => markWorkerStopped(engine.db, id),
    fallSilent: async () => {
      await engine.rows("update handrail.worker set lease_expires_at = clock_timestamp() where id = $1", [id]);
      await takeOverLostRuns(engine.db);
    },
  };
}

/** Its rate admits one of two runs, and closes their queue for an hour. */
async function closedFor(worker: Awaited<ReturnType<typeof aWorker>>, started: Workflow) {
  for (let index = 0; index < 2; index++) await engine.start(started);
  expect(await worker.claim()).toBe(1);
  // The end of a run opens the queue, and the next claim closes it.
  await worker.end();
  expect(await worker.claim()).toBe(0);
}

it("when the new version comes after the old one is gone", async () => {
  const [before, after] = [aVersion("one-by-one", 1, HOURLY), aVersion("one-by-one", 2)];
  const old = await aWorker(before);
  await closedFor(old, before);
  await old.stop();
  expect(await (await aWorker(after)).claim()).toBe(1);
});

it("when a version comes back that was registered before", async () => {
  const wide = { rateLimit: { limit: 10, perMs: 3_600_000 } };
  const [before, after] = [aVersion("rolled-back", 1, wide), aVersion("rolled-back", 2, HOURLY)];
  await (await aWorker(before)).stop();
  const rolledOut = await aWorker(after);
  await closedFor(rolledOut, before);
  await rolledOut.stop();
  expect(await (await aWorker(before)).claim()).toBe(1);
});

it.each(["stop", "fallSilent"] as const)("when both were live, and the old one does %s", async (way) => {
  const name = `side-by-side-${way.toLowerCase()}`;
  const [before, after] = [aVersion(name, 1, HOURLY), aVersion(name, 2)];
  const old = await aWorker(before);
  const fresh = await aWorker(after);
  await closedFor(old, before);
  expect(await fresh.claim(), "the run needs the old version while a worker has it").toBe(0);
  await old[way]();
  expect(await fresh.claim()).toBe(1);
});

it("when both were builds of one version", async () => {
  const [before, after] = [aVersion("two-builds", 1, HOURLY), aVersion("two-builds", 1, { concurrency: { limit: 5 } })];
  const old = await aWorker(before, "a");
  const fresh = await aWorker(after, "b");
  await closedFor(old, before);
  expect(await fresh.claim()).toBe(0);
  await old.stop();
  expect(await fresh.claim()).toBe(1);
});

it("a worker that stops beside others of its version writes no notes", async () => {
  const workflow = aVersion("same-version", 1, HOURLY);
  const [one, other] = [await aWorker(workflow), await aWorker(workflow)];
  await closedFor(one, workflow);
  await other.stop();
  await aWorker(workflow);
  expect(await engine.rows("select from handrail.queue_note where workflow = $1", [workflow.name])).toEqual([]);
});
