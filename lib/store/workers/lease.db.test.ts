import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { aRegisteredWorker, claimOne } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";
import { claimFromQueues } from "../../worker/queues/claim-from-queues";
import { clientDb } from "../db";
import { openLanes } from "../queues/queue-lanes";
import { beat, look, readNews } from "./beat";
import { type Claim, claimOwn, claimRuns } from "./claim-runs";
import { takeOverLostRuns } from "./take-over";

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
    expect(await beat(engine.db, workerId, 0, 60_000)).toMatchObject({ long: false });
    const [row] = await engine.rows<{ longer: boolean }>(
      "select lease_expires_at > clock_timestamp() + interval '50 s' as longer from handrail.worker where id = $1",
      [workerId],
    );
    expect(row).toEqual({ longer: true });
  });

  it("does not renew an expired lease: another worker may own the runs", async () => {
    const workerId = await aRegisteredWorker(engine.db);
    await engine.endLeases();
    expect(await beat(engine.db, workerId, 0, 60_000)).toBeNull();
    expect(await readNews(engine.db, workerId)).toMatchObject({ held: false });
    const [row] = await engine.rows<{ ended: boolean }>(
      "select lease_expires_at < clock_timestamp() as ended from handrail.worker where id = $1",
      [workerId],
    );
    expect(row).toEqual({ ended: true });
  });
});

const LEASE_MS = 4_000;
const LONG_MS = 32_000;

/** A worker that has been given the longer lease, the time of its last beat, and what its lease lasts. */
async function aRestingWorker() {
  const id = await aRegisteredWorker(engine.db, { leaseMs: LEASE_MS });
  const first = await beat(engine.db, id, 0, LEASE_MS);
  const rest = await beat(engine.db, id, 0, LEASE_MS, { ms: LONG_MS, after: first?.beatAt ?? null });
  expect(rest).toMatchObject({ long: true });
  const lasts = async () => {
    const [row] = await engine.rows<{ ms: number }>(
      "select (extract(epoch from lease_expires_at - clock_timestamp()) * 1000)::float8 as ms from handrail.worker where id = $1",
      [id],
    );
    return row?.ms ?? 0;
  };
  expect(await lasts()).toBeGreaterThan(LEASE_MS);
  return { id, beatAt: rest?.beatAt ?? "", lasts };
}

const aWorkflow = (name: string, more = {}) =>
  defineWorkflow({ name, input: z.object({}), ...more }, async () => undefined);

describe("the longer lease of an idle worker", () => {
  it("is not given once anything has touched its row since the beat that it names", async () => {
    const { id, beatAt, lasts } = await aRestingWorker();
    expect(await beat(engine.db, id, 0, LEASE_MS)).toMatchObject({ long: false });
    expect(await lasts()).toBeLessThanOrEqual(LEASE_MS);
    expect(await beat(engine.db, id, 0, LEASE_MS, { ms: LONG_MS, after: beatAt })).toMatchObject({ long: false });
    expect(await lasts()).toBeLessThanOrEqual(LEASE_MS);
  });

  const claims: Record<string, (workflow: ReturnType<typeof aWorkflow>, id: number) => Promise<Claim>> = {
    "of its own versions": (workflow, id) => claimOwn(engine.db, id, [workflow], 5, LEASE_MS),
    "of any version": (workflow, id) => claimRuns(engine.db, id, [workflow], 5, 0, LEASE_MS),
    "from queues": async (workflow, id) => {
      await openLanes(engine.db, [workflow.name], []);
      return claimFromQueues(engine.db, id, [workflow], 5, 0, LEASE_MS);
    },
  };
  it.each(Object.keys(claims))(
    "ends with a claim %s that takes a run, and not with one that takes none",
    async (kind) => {
      const claim = claims[kind] as (typeof claims)[string];
      const workflow = aWorkflow(
        `rested ${kind}`.replaceAll(" ", "-"),
        kind === "from queues" && { concurrency: { limit: 1 } },
      );
      const { id, lasts } = await aRestingWorker();
      expect((await claim(workflow, id)).runs).toEqual([]);
      expect(await lasts()).toBeGreaterThan(LEASE_MS);
      await engine.start(workflow);
      expect((await claim(workflow, id)).runs).toHaveLength(1);
      expect(await lasts()).toBeLessThanOrEqual(LEASE_MS);
    },
  );

  it("is not given by a beat that was sent before such a claim and comes while it commits", async () => {
    const workflow = aWorkflow("rested-late-beat");
    const { id, beatAt, lasts } = await aRestingWorker();
    await engine.start(workflow);
    const client = await engine.database.pool.connect();
    try {
      await client.query("begin");
      expect((await claimOwn(clientDb(client), id, [workflow], 5, LEASE_MS)).runs).toHaveLength(1);
      const late = beat(engine.db, id, 0, LEASE_MS, { ms: LONG_MS, after: beatAt });
      await delay(200);
      await client.query("commit");
      expect(await late).toMatchObject({ long: false });
    } finally {
      client.release();
    }
    expect(await lasts()).toBeLessThanOrEqual(LEASE_MS);
  });
});

it("a look tells the news, and writes nothing", async () => {
  const { id } = await aRestingWorker();
  const fitting = { versions: [], waitMs: 0 };
  const silent = await claimed("looked-at");
  await engine.rows(
    "update handrail.worker set heartbeat_at = clock_timestamp() - interval '3 s', lease_expires_at = clock_timestamp() + interval '1 s' where id = $1",
    [silent.claim.workerId],
  );
  const { news } = await look(engine.db, id, fitting);
  expect(news).toMatchObject({ held: true, draining: false });
  const [endsInMs, ...others] = news.leaseEndsInMs;
  expect(endsInMs).toBeGreaterThan(0);
  expect(endsInMs).toBeLessThanOrEqual(1_000);
  expect(others).toEqual([]);
  expect(Object.keys(await readNews(engine.db, id)).sort()).toEqual(Object.keys(news).sort());
  await engine.endLeases();
  expect((await look(engine.db, id, fitting)).news).toMatchObject({ held: false });
});
