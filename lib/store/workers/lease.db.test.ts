import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { aRegisteredWorker, claimOne } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";
import { takeOverLostRuns } from "./take-over";
import { beat } from "./workers";

const engine = anEngine();

const claimed = async (name: string) => {
  const workflow = defineWorkflow({ name, input: z.object({}) }, async () => undefined);
  await engine.start(workflow);
  return { workflow, claim: await claimOne(engine.db, workflow) };
};

describe("the runs of a worker", () => {
  it("stay with it for as long as its lease lasts", async () => {
    const { claim } = await claimed("lease-lasts");
    expect(await takeOverLostRuns(engine.db)).toEqual([]);
    expect((await engine.historyOf(claim.id)).run).toMatchObject({
      status: "running",
      epoch: claim.epoch,
      worker_id: claim.workerId,
    });
  });

  it("are claimable once it has expired, under a new epoch, and the loss is on record", async () => {
    const { workflow, claim } = await claimed("lease-ended");
    await engine.endLeases();
    expect(await takeOverLostRuns(engine.db)).toContain(claim.id);
    expect(await takeOverLostRuns(engine.db)).toEqual([]);
    const { run, lostClaims } = await engine.historyOf(claim.id);
    expect(run).toMatchObject({ status: "pending", epoch: claim.epoch + 1, worker_id: null, lost_claims: 1 });
    expect(lostClaims).toBe(1);
    expect((await claimOne(engine.db, workflow)).epoch).toBe(claim.epoch + 2);
  });

  it("are taken over at the lease's end, also in a transaction that began earlier", async () => {
    const { claim } = await claimed("lease-ends-meanwhile");
    const taken = await engine.db.transaction(async (tx) => {
      await tx.query({ name: "", text: "select 1" }, []);
      await delay(50);
      await engine.endLeases();
      return takeOverLostRuns(tx);
    });
    expect(taken).toContain(claim.id);
  });
});

describe("a heartbeat", () => {
  it("extends a valid lease", async () => {
    const workerId = await aRegisteredWorker(engine.db, { leaseMs: 1_000 });
    expect(await beat(engine.db, workerId, 0, 60_000)).toMatchObject({ held: true });
    const [row] = await engine.rows<{ longer: boolean }>(
      "select lease_expires_at > clock_timestamp() + interval '50 s' as longer from handrail.worker where id = $1",
      [workerId],
    );
    expect(row).toEqual({ longer: true });
  });

  it("does not renew an expired lease: another worker may own the runs", async () => {
    const workerId = await aRegisteredWorker(engine.db);
    await engine.endLeases();
    expect(await beat(engine.db, workerId, 0, 60_000)).toMatchObject({ held: false });
    const [row] = await engine.rows<{ ended: boolean }>(
      "select lease_expires_at < clock_timestamp() as ended from handrail.worker where id = $1",
      [workerId],
    );
    expect(row).toEqual({ ended: true });
  });
});
