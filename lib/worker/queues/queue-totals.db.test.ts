import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow, type WorkflowOptions } from "../../engine/workflows/workflow";
import { readRun } from "../../operator/runs/reads";
import { changeLimits } from "../../operator/workflows/limits";
import { openLanes } from "../../store/queues/queue-lanes";
import { registerWorkflows } from "../../store/workers/workers";
import { aDesk } from "../../testing/desk";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";
import { claimFromQueues } from "./claim-from-queues";

const engine = anEngine();
const input = z.object({ key: z.string() });
type Input = z.infer<typeof input>;
const byKey = ({ key }: Input) => key;
type Limits = Pick<WorkflowOptions<typeof input>, "concurrency" | "rateLimit">;

/** Counts running bodies, by key and in all. */
function aCounted(name: string, limits: Limits, work: () => Promise<unknown> = () => delay(3)) {
  const inside = { all: 0, keys: new Map<string, number>() };
  const most = { all: 0, key: 0 };
  const order: string[] = [];
  const enter = (key: string, by: number) => {
    inside.all += by;
    inside.keys.set(key, (inside.keys.get(key) ?? 0) + by);
    most.all = Math.max(most.all, inside.all);
    most.key = Math.max(most.key, inside.keys.get(key) as number);
  };
  const body = async (key: string) => {
    enter(key, 1);
    order.push(key);
    await work();
    enter(key, -1);
  };
  const workflow = defineWorkflow({ name, input, ...limits }, async (ctx, { key }) => {
    await ctx.step("first", () => body(key));
    await ctx.step("second", () => body(key));
  });
  return { workflow, most, order };
}

const untilAllCompleted = (workflow: string, count: number) =>
  until(`The end of ${count} runs of ${workflow}`, async () => {
    const [row] = await engine.rows<{ done: number }>(
      "select count(*)::int as done from handrail.run where workflow = $1 and status = 'completed'",
      [workflow],
    );
    return row?.done === count;
  });

const heldOf = async (workflow: string) => {
  const [row] = await engine.rows<{ held: number }>(
    "select count(*)::int as held from handrail.run where workflow = $1 and worker_id is not null",
    [workflow],
  );
  return row?.held;
};

describe("a limit of the workflow beside that of each key", () => {
  it("is never overspent, nor is that of a key, by many workers; and both are reached", async () => {
    const { workflow, most } = aCounted("both-limits", { concurrency: { limit: 2, key: byKey, total: 5 } });
    for (let index = 0; index < 120; index++) await engine.start(workflow, { key: `k${index % 3}` });
    for (let index = 0; index < 4; index++) await engine.worker([workflow], { concurrency: 20, connections: 2 });
    await untilAllCompleted(workflow.name, 120);
    expect(most).toEqual({ all: 5, key: 2 });
  });

  it("is not overspent by a claim of other queues at the same instant", async () => {
    const { workflow } = aCounted("totals-at-once", { concurrency: { limit: 1, key: byKey, total: 1 } });
    await registerWorkflows(engine.db, [workflow]);
    const [one, other] = [await aRegisteredWorker(engine.db), await aRegisteredWorker(engine.db)];
    await engine.start(workflow, { key: "a" });
    await openLanes(engine.db, [workflow.name], [workflow.name]);
    const [counted, goOn] = [gate(), gate()];
    setFaultHandler((point) => {
      if (point !== "queue:after-take") return;
      setFaultHandler(undefined);
      counted.open();
      return goOn.opened;
    });
    const first = claimFromQueues(engine.db, one, [workflow], 1);
    await counted.opened;
    // Another queue of the same workflow, which the claim in flight has not locked. Taking its note in would wait.
    await engine.start(workflow, { key: "b" });
    await engine.rows("delete from handrail.queue_note where workflow = $1", [workflow.name]);
    await engine.rows("insert into handrail.queue_lane (workflow, key) values ($1, 'b')", [workflow.name]);
    const second = await claimFromQueues(engine.db, other, [workflow], 1);
    goOn.open();
    expect([(await first).runs.length, second.runs.length]).toEqual([1, 0]);
    expect(await heldOf(workflow.name)).toBe(1);
  });

  it("lets the highest priority of any key go first, under a backlog", async () => {
    const { workflow, order } = aCounted("urgent-first", { concurrency: { limit: 1, key: byKey, total: 1 } });
    for (let index = 0; index < 200; index++) await engine.start(workflow, { key: `k${index % 70}` });
    await engine.start(workflow, { key: "k3" }, { priority: 20 });
    await engine.start(workflow, { key: "urgent" }, { priority: 50 });
    await engine.worker([workflow], { concurrency: 1 });
    await until("The first ends", () => order.length >= 6);
    expect(order.slice(0, 4)).toEqual(["urgent", "urgent", "k3", "k3"]);
  });

  it("is released by a lost worker", async () => {
    const { workflow } = aCounted("lost-total", { concurrency: { limit: 1, key: byKey, total: 1 } });
    const lost = await aRegisteredWorker(engine.db);
    const first = await engine.start(workflow, { key: "a" });
    const { runs } = await until("A claim", async () => {
      const claim = await claimFromQueues(engine.db, lost, [workflow], 5);
      return claim.runs.length > 0 && claim;
    });
    expect(runs.map(({ id }) => id)).toEqual([first]);
    const second = await engine.start(workflow, { key: "b" });
    await engine.worker([workflow]);
    await until("The limit that holds it", async () => (await readRun(engine.db, second)).queue?.heldBy === "total");
    await engine.endLeases();
    await engine.worker([workflow]);
    expect((await engine.untilEnded(second)).run.status).toBe("completed");
    expect((await engine.untilEnded(first)).run.status).toBe("completed");
  });

  it("is noticed by the next claim when it comes free, whichever queue has the next run", async () => {
    const { workflow } = aCounted("free-total", { concurrency: { limit: 2, key: byKey, total: 1 } });
    await registerWorkflows(engine.db, [workflow]);
    const worker = await aRegisteredWorker(engine.db);
    const ids = [await engine.start(workflow, { key: "a" }), await engine.start(workflow, { key: "b" })];
    const { runs } = await claimFromQueues(engine.db, worker, [workflow], 1);
    const [first] = runs.map(({ id }) => id);
    expect(ids).toContain(first);
    expect((await claimFromQueues(engine.db, worker, [workflow], 1)).runs, "it is full").toEqual([]);
    await engine.rows(
      `update handrail.run set status = 'completed', epoch = epoch + 1, output = '1', worker_id = null, finished_at = clock_timestamp()
       where id = $1`,
      [first],
    );
    const next = await claimFromQueues(engine.db, worker, [workflow], 1);
    expect(next.runs.map(({ id }) => id)).toEqual(ids.filter((id) => id !== first));
  });

  it("can be changed live, and a full workflow continues at once", async () => {
    const held = gate();
    const { workflow, most } = aCounted(
      "live-total",
      { concurrency: { limit: 2, key: byKey, total: 1 } },
      () => held.opened,
    );
    const ids: string[] = [];
    for (const key of ["a", "b", "c"]) ids.push(await engine.start(workflow, { key }));
    await engine.worker([workflow]);
    await until("The limit that holds the last", async () => {
      const { queue } = await readRun(engine.db, ids[2] as string);
      return queue?.heldBy === "total" && queue;
    });
    expect((await readRun(engine.db, ids[2] as string)).queue).toMatchObject({
      ...{ key: "c", holding: 0, concurrency: 2, totalHolding: 1, total: 1, ahead: 0, opensAt: null },
    });
    await changeLimits(aDesk(engine.db), { workflow: workflow.name, total: 3, reason: "more room" });
    await until("Three in their bodies", () => most.all === 3);
    held.open();
    await untilAllCompleted(workflow.name, 3);
  });
});

describe("a rate of the workflow beside limits of keys", () => {
  it("is never more than the limit in any period, over all keys, with many workers", async () => {
    const { workflow, most } = aCounted("total-rate", {
      concurrency: { limit: 1, key: byKey },
      rateLimit: { limit: 4, perMs: 400 },
    });
    for (let index = 0; index < 20; index++) await engine.start(workflow, { key: `k${index % 10}` });
    for (let index = 0; index < 3; index++) await engine.worker([workflow], { connections: 2 });
    await untilAllCompleted(workflow.name, 20);
    const [row] = await engine.rows<{ most: number }>(
      `select max(n)::int as most from (
        select count(*) over (order by started_at range between interval '399.999 ms' preceding and current row) as n
        from handrail.run where workflow = $1) as begun`,
      [workflow.name],
    );
    expect(row?.most).toBe(4);
    expect(most.key).toBe(1);
  });

  it("is reported, and does not delay runs that have begun", async () => {
    const name = "total-rate-begun";
    const workflow = defineWorkflow(
      { name, input, concurrency: { limit: 1, key: byKey }, rateLimit: { limit: 1, perMs: 3_600_000 } },
      (ctx) => ctx.sleep("nap", 300),
    );
    const first = await engine.start(workflow, { key: "a" });
    await engine.worker([workflow]);
    await engine.untilRun(first, ({ run }) => run.status === "waiting", "its sleep");
    const second = await engine.start(workflow, { key: "b" });
    await until("The limit that holds it", async () => (await readRun(engine.db, second)).queue?.opensAt);
    expect((await readRun(engine.db, second)).queue).toMatchObject({ heldBy: "totalRate", holding: 0 });
    expect((await engine.untilEnded(first)).run.status).toBe("completed");
    expect((await engine.historyOf(second)).run.status).toBe("pending");
    await changeLimits(aDesk(engine.db), { workflow: name, totalRate: { limit: 5, perMs: 1_000 }, reason: "faster" });
    expect((await engine.untilEnded(second)).run.status).toBe("completed");
  });
});

it("a workflow that gets a limit over its keys lets its old queues through", async () => {
  const { workflow: before } = aCounted("gets-a-total", { concurrency: { limit: 1, key: byKey } });
  const { workflow: after } = aCounted("gets-a-total", { concurrency: { limit: 1, key: byKey, total: 1 } });
  const runId = await engine.start(before, { key: "a" });
  await openLanes(engine.db, [before.name], []);
  await engine.worker([after]);
  expect((await engine.untilEnded(runId)).run.status).toBe("completed");
});
