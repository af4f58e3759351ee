import { describe, expect, it } from "vitest";
import { until } from "../../testing/until";
import { aRemoteScene } from "../../testing/workers/remote-worker";

const scene = aRemoteScene();

const LIMITS = {
  "a concurrency limit": { concurrency: { limit: 5 } },
  "a concurrency limit for each key": { concurrency: { limit: 1, key: "/shop" } },
  "a rate limit": { rateLimit: { limit: 100, perMs: 1_000 } },
};

describe.each(Object.entries(LIMITS))("a run over HTTP with %s", (_, workflow) => {
  it("goes on after a wait, a retry and an event", async () => {
    const { claim, runId, worker } = await scene.claim({ workflow, input: { shop: "a" } });
    await claim.sleep("rest", 50);
    await claim.handBack("rest");
    const rested = await worker.claim();
    expect(await rested.sleep("rest", 50)).toMatchObject({ next: "completed" });
    await rested.ask("book");
    await rested.failed("book", 1, { retryAfterMs: 50 });
    await rested.handBack("book");
    const retried = await worker.claim();
    await retried.ask("book");
    await retried.completed("book", 2);
    const paid = { kind: "event", event: "paid", timeoutMs: 60_000 };
    await retried.askFor("payment", paid);
    await retried.handBack("payment");
    await scene.api.ask("POST", `/v1/runs/${runId}/events`, { body: { name: "paid", payload: 1 } });
    const resumed = await worker.claim();
    expect(await resumed.askFor("payment", paid)).toMatchObject({ next: "completed", output: 1 });
    await resumed.complete();
  });

  it("is taken by the first claim after its wait, also by one that does not wait", async () => {
    const { claim, runId, worker } = await scene.claim({ workflow, input: { shop: "a" } });
    await claim.sleep("rest", 1);
    await claim.handBack("rest");
    await until("The end of the wait", async () => {
      const { rows } = await scene.database.pool.query(
        "select due_at <= clock_timestamp() as due from handrail.run where id = $1",
        [runId],
      );
      return rows[0].due;
    });
    const [taken] = await worker.claims();
    expect(taken).toMatchObject({ id: runId });
    await worker.run(taken).complete();
  });
});

it("a key whose slots are all held does not keep a claim from the next key", async () => {
  const { name, worker, claim } = await scene.claim({
    workflow: { concurrency: { limit: 1, key: "/shop" } },
    input: { shop: "a" },
  });
  const second = await scene.start(name, { shop: "a" });
  const other = await scene.start(name, { shop: "b" });
  expect(await worker.claim()).toMatchObject({ id: other });
  await claim.complete();
  expect(await worker.claim()).toMatchObject({ id: second });
});

it("a second live run of a singleton key is refused at its start, and before its code when SQL started it", async () => {
  const { name, runId, worker, claim } = await scene.claim({
    workflow: { singleton: { key: "/shop" } },
    input: { shop: "a" },
  });
  const refused = await scene.api.ask("POST", "/v1/runs", { body: { workflow: name, input: { shop: "a" } } });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: "singleton_conflict", details: { runId } } } });
  const { rows } = await scene.database.pool.query(`select handrail.start_run($1, '{"shop":"a"}')::text as id`, [name]);
  expect(await worker.claims()).toEqual([]);
  const { body } = await scene.api.ask("GET", `/v1/runs/${rows[0].id}`);
  expect(body).toMatchObject({ status: "failed", error: { code: "singleton_conflict" } });
  await claim.complete();
  const later = await scene.start(name, { shop: "a" });
  expect(await worker.claim()).toMatchObject({ id: later });
});

it("claims that take the same singleton keys in opposite order: each key has one run, and both are answered", async () => {
  const workflow = { name: scene.name(), singleton: { key: "/shop" } };
  const workers = [await scene.worker([workflow]), await scene.worker([workflow])];
  const there = Array.from({ length: 20 }, (_, shop) => shop);
  for (const shop of [...there, ...there.toReversed()])
    await scene.database.pool.query(`select handrail.start_run($1, jsonb_build_object('shop', $2::text))`, [
      workflow.name,
      `${shop}`,
    ]);
  const claimed = (await Promise.all(workers.map((worker) => worker.claims({ limit: 20 })))).flat();
  expect(claimed.map(({ input }) => Number(input.shop)).sort((a, b) => a - b)).toEqual(there);
  const { rows } = await scene.database.pool.query(
    "select status, count(*)::int from handrail.run where workflow = $1 group by status order by status",
    [workflow.name],
  );
  expect(rows).toEqual([
    { status: "failed", count: 20 },
    { status: "running", count: 20 },
  ]);
});
