import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import type { ProcessIdentity } from "../../store/workers/workers";
import { aRegisteredWorker, claimOne } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";
import { identifyProcess } from "./process-identity";

const engine = anEngine();

/** No lease expires here: progress proves that the missing process was noticed. */
const LEASE_MS = 3_600_000;

const here = identifyProcess() as ProcessIdentity;
/** Its pid is now this process's. */
const gone = (): ProcessIdentity => ({ ...here, start: here.start - 1 });

const aWorkflow = (name: string) => defineWorkflow({ name, input: z.object({}) }, async () => "done");

/** A run held by a worker that is this process. */
async function heldBy(workflow: ReturnType<typeof aWorkflow>, process?: ProcessIdentity): Promise<string> {
  await engine.start(workflow);
  const workerId = await aRegisteredWorker(engine.db, { leaseMs: LEASE_MS, ...(process && { process }) });
  return (await claimOne(engine.db, workflow, workerId)).id;
}

describe.skipIf(process.platform !== "linux")("a worker that starts", () => {
  it("continues the runs of a worker on its machine whose process is gone", async () => {
    const workflow = aWorkflow("of-a-gone-process");
    const runId = await heldBy(workflow, gone());
    await engine.worker([workflow], { leaseMs: LEASE_MS });
    const { run, lostClaims } = await engine.untilEnded(runId);
    // Claimed, taken over, claimed.
    expect(run).toMatchObject({ status: "completed", epoch: 3 });
    expect(lostClaims).toBe(1);
  });

  it.each<[string, () => ProcessIdentity | undefined]>([
    ["whose process lives", () => here],
    ["on another host", () => ({ ...gone(), host: `${here.host} elsewhere` })],
    ["of which no process is known", () => undefined],
  ])("leaves its runs to a worker %s", async (which, identity) => {
    const workflow = aWorkflow(`worker-${which.replaceAll(" ", "-")}`);
    const kept = await heldBy(workflow, identity());
    const lost = await heldBy(workflow, gone());
    await engine.worker([workflow], { leaseMs: LEASE_MS });
    // One heartbeat judges both.
    await engine.untilEnded(lost);
    expect((await engine.historyOf(kept)).run).toMatchObject({ status: "running", epoch: 1 });
    const [worker] = await engine.rows(
      "select lease_expires_at > clock_timestamp() as holds from handrail.worker where id = (select worker_id from handrail.run where id = $1)",
      [kept],
    );
    expect(worker).toEqual({ holds: true });
  });

  it("shares the runs of gone workers with another that starts at the same time, each run taken over once", async () => {
    const workflow = aWorkflow("two-successors");
    const runIds: string[] = [];
    for (let count = 0; count < 30; count++) runIds.push(await heldBy(workflow, gone()));
    await Promise.all([1, 2, 3].map(() => engine.worker([workflow], { leaseMs: LEASE_MS })));
    for (const runId of runIds) {
      const { run, lostClaims } = await engine.untilEnded(runId);
      expect(run).toMatchObject({ status: "completed", epoch: 3 });
      expect(lostClaims).toBe(1);
    }
  });
});
