import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Db, poolDb } from "../../store/db";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import { endedRuns } from "../../testing/rows/ended-runs";
import { countAll } from "../../worker/duties/rollup-loop";
import { readNormal } from "./read-normal";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let db: Db;
beforeAll(async () => {
  api = await anApiWithSignIn();
  db = poolDb(api.database.pool);
  const { pool } = api.database;
  await endedRuns(pool, { workflow: "orders", version: 6, status: "completed", count: 20, ms: 400 });
  await endedRuns(pool, { workflow: "orders", version: 7, status: "completed", count: 4, ms: 4_000 });
  await endedRuns(pool, { workflow: "mails", version: 1, status: "completed", count: 9, ms: 10 });
  await endedRuns(pool, { workflow: "mails", version: 2, status: "failed", count: 6, ms: 8_000 });
  await endedRuns(pool, { workflow: "rare", version: 1, status: "completed", count: 4, ms: 10 });
  await countAll(db, () => false);
});
afterAll(() => api.close());

async function runOf(workflow: string, version: number, condition = "true"): Promise<string> {
  const { rows } = await api.database.pool.query(
    `select id from handrail.run where workflow = $1 and version = $2 and ${condition} order by id desc`,
    [workflow, version],
  );
  return rows[0].id;
}

describe("what is normal for a run's steps", () => {
  it("is the median and the 95th percentile of its version", async () => {
    const { steps, since, until } = await readNormal(db, await runOf("orders", 6));
    expect(steps).toMatchObject([{ step: "charge", version: 6, executions: 20 }]);
    // A step of the tests takes half of its run.
    expect(steps[0]?.p50Ms).toBeGreaterThan(200 / 1.1);
    expect(steps[0]?.p95Ms).toBeLessThan(200 * 1.1);
    expect(Date.parse(until)).toBeGreaterThan(Date.now());
    expect(Date.parse(until) - Date.parse(since)).toBe(7.5 * 86_400_000);
  });

  it("is that of all versions while the run's own has ended too seldom, and nothing where all have", async () => {
    const { steps } = await readNormal(db, await runOf("orders", 7));
    expect(steps).toMatchObject([{ step: "charge", version: null, executions: 24 }]);
    expect(steps[0]?.p95Ms).toBeGreaterThan(2_000 / 1.1);
    expect((await readNormal(db, await runOf("rare", 1))).steps).toEqual([]);
  });

  it("does not count what ended long before it", async () => {
    const runId = await runOf("orders", 6);
    await api.database.pool.query("update handrail.run set created_at = created_at + interval '9 days' where id = $1", [
      runId,
    ]);
    expect((await readNormal(db, runId)).steps).toEqual([]);
  });
});

describe("the good run", () => {
  it("is the newest of the same version that completed without a repair, and never the run itself", async () => {
    const runId = await runOf("mails", 1);
    const { goodRun } = await readNormal(db, runId);
    expect(goodRun?.runId).toBe(await runOf("mails", 1, `id <> '${runId}'`));
    await api.database.pool.query("update handrail.run set generation = 2 where id = $1", [goodRun?.runId]);
    const next = (await readNormal(db, runId)).goodRun;
    expect(next?.runId).toBe(await runOf("mails", 1, `id not in ('${runId}', '${goodRun?.runId}')`));
  });

  it("is none where every run of the version failed", async () => {
    expect((await readNormal(db, await runOf("mails", 2))).goodRun).toBeNull();
  });

  it("is found before an old run, however many newer ones there are", async () => {
    const { pool } = api.database;
    await endedRuns(pool, { workflow: "many", version: 1, status: "completed", count: 2 });
    const runId = await runOf("many", 1);
    await endedRuns(pool, { workflow: "many", version: 2, status: "failed", count: 1_100 });
    expect((await readNormal(db, runId)).goodRun?.runId).toBe(await runOf("many", 1, `id < '${runId}'`));
  });
});

it("is for callers who may read the run", async () => {
  const bound = await api.mint(["viewer"], { workflows: ["orders"] });
  expect(await api.as(bound, "GET", `/v1/runs/${await runOf("orders", 6)}/normal`)).toMatchObject({ status: 200 });
  expect(await api.as(bound, "GET", `/v1/runs/${await runOf("mails", 1)}/normal`)).toMatchObject({ status: 403 });
  const nowhere = "019aa5e0-0000-7000-8000-00000000dead";
  expect(await api.as(bound, "GET", `/v1/runs/${nowhere}/normal`)).toMatchObject({ status: 404 });
});
