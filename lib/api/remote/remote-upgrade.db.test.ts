import { expect, it } from "vitest";
import { aRemoteScene } from "../../testing/workers/remote-worker";

const scene = aRemoteScene();
const lost = { code: "claim_lost", status: 409 };

/** As a console of the previous version registered its worker and made the claim. */
async function aClaimFromBefore() {
  const claimed = await scene.claim();
  const { pool } = scene.database;
  await pool.query("update handrail.run set claim_proof = null where id = $1", [claimed.runId]);
  await pool.query("update handrail.worker set credential = null where id = $1", [claimed.worker.id]);
  const { id, epoch } = claimed.claim;
  return { ...claimed, before: claimed.worker.run({ id, epoch }) };
}

it("a claim from before an upgrade goes on to its end without a secret, and the worker then registers anew", async () => {
  const { worker, before, runId, peer, name } = await aClaimFromBefore();
  expect(await before.ask("book")).toMatchObject({ next: "go" });
  expect(await worker.beat()).toMatchObject({ cancelled: [] });
  await before.completed("book", 1);
  await before.handBack();
  const next = await scene.start(name);
  await expect(worker.claims()).rejects.toMatchObject({ code: "lease_ended" });
  await worker.depart();
  const anew = await peer();
  const taken = await anew.claims({ limit: 2 });
  expect(taken.map(({ id }) => id).sort()).toEqual([runId, next].sort());
  for (const claim of taken) {
    await expect(anew.run({ id: claim.id, epoch: claim.epoch }).complete()).rejects.toMatchObject(lost);
    await anew.run(claim).complete();
  }
});

it("a claim that a console of the version before gave to a worker of this one goes on, too", async () => {
  const { claim, worker, runId } = await scene.claim();
  await claim.handBack();
  const again = await worker.claim();
  await scene.database.pool.query("update handrail.run set claim_proof = $2 where id = $1", [
    runId,
    `${claim.epoch}:of-the-claim-before`,
  ]);
  const { id, epoch } = again;
  await expect(worker.run({ ...claim.taken, epoch: claim.epoch }).complete()).rejects.toMatchObject(lost);
  await worker.run({ id, epoch }).complete();
});
