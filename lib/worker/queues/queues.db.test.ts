import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { RetryAfterError } from "../../engine/steps/retry-policy";
import { defineWorkflow, type WorkflowOptions } from "../../engine/workflows/workflow";
import { openLanes } from "../../store/queues/queue-lanes";
import { wakeRun } from "../../store/runs/wake";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { claimFromQueues } from "./claim-from-queues";

const engine = anEngine();
const input = z.object({ key: z.string().default("") });
type Input = z.infer<typeof input>;
const byKey = ({ key }: Input) => key;

/** Running bodies, by key: what a limit bounds. */
class Witness {
  readonly most = new Map<string, number>();
  readonly order: string[] = [];
  private readonly inside = new Map<string, number>();

  async body(key: string, work: () => Promise<unknown> = () => delay(3)): Promise<void> {
    const now = (this.inside.get(key) ?? 0) + 1;
    this.inside.set(key, now);
    this.most.set(key, Math.max(this.most.get(key) ?? 0, now));
    this.order.push(key);
    await work();
    this.inside.set(key, (this.inside.get(key) as number) - 1);
  }
}

type Limits = Pick<WorkflowOptions<typeof input>, "concurrency" | "rateLimit" | "window">;

function aWitnessed(name: string, limits: Limits, work?: (input: Input) => Promise<unknown>) {
  const witness = new Witness();
  const workflow = defineWorkflow({ name, input, ...limits }, async (ctx, given) => {
    await ctx.step("first", () => witness.body(given.key, work && (() => work(given))));
    await ctx.step("second", () => witness.body(given.key));
  });
  return { workflow, witness };
}

const untilAllCompleted = (workflow: string, count: number) =>
  until(`The end of ${count} runs of ${workflow}`, async () => {
    const [row] = await engine.rows<{ done: number }>(
      "select count(*)::int as done from handrail.run where workflow = $1 and status = 'completed'",
      [workflow],
    );
    return row?.done === count;
  });

describe("concurrency", () => {
  it("is never more than the limit of any key, with many workers, and reaches it", async () => {
    const { workflow, witness } = aWitnessed("many-workers", { concurrency: { limit: 2, key: byKey } });
    for (let index = 0; index < 120; index++) await engine.start(workflow, { key: `k${index % 6}` });
    for (let index = 0; index < 4; index++) await engine.worker([workflow], { concurrency: 20, connections: 2 });
    await untilAllCompleted(workflow.name, 120);
    expect(witness.most.size).toBe(6);
    for (const most of witness.most.values()) expect(most).toBe(2);
  });

  it("is never more than the limit when many claim the same queues at the same instant", async () => {
    const { workflow } = aWitnessed("same-instant", { concurrency: { limit: 2, key: byKey } });
    const workers = await Promise.all(Array.from({ length: 6 }, () => aRegisteredWorker(engine.db)));
    for (let round = 0; round < 15; round++) {
      for (let index = 0; index < 8; index++) await engine.start(workflow, { key: `k${round}` });
      await openLanes(engine.db, [workflow.name], []);
      // Each start goes before all others, so that no two claims see the same head.
      await Promise.all(
        workers.map(async (worker, priority) => {
          await engine.start(workflow, { key: `k${round}` }, { priority });
          await claimFromQueues(engine.db, worker, [workflow], 4);
        }),
      );
    }
    const held = await engine.rows(
      "select queue_key, count(*)::int as n from handrail.run where workflow = $1 and worker_id is not null group by 1 having count(*) > 2",
      [workflow.name],
    );
    expect(held).toEqual([]);
  });

  it("counts for all runs of the workflow without a key", async () => {
    const { workflow, witness } = aWitnessed("one-queue", { concurrency: { limit: 1 } });
    for (let index = 0; index < 12; index++) await engine.start(workflow);
    for (let index = 0; index < 3; index++) await engine.worker([workflow], { connections: 2 });
    await untilAllCompleted(workflow.name, 12);
    expect(witness.most.get("")).toBe(1);
  });

  it("of a stuck key delays no other key and no other workflow", async () => {
    const held = gate();
    const { workflow, witness } = aWitnessed("stuck-key", { concurrency: { limit: 1, key: byKey } }, ({ key }) =>
      key === "stuck" ? held.opened : delay(1),
    );
    const { workflow: other } = aWitnessed("beside-stuck-key", {});
    for (let index = 0; index < 50; index++) await engine.start(workflow, { key: "stuck" }, { priority: 50 });
    for (let index = 0; index < 10; index++) await engine.start(workflow, { key: `free-${index}` });
    await engine.worker([workflow, other], { concurrency: 5 });
    await until("The ends of the other keys", () => witness.order.filter((key) => key !== "stuck").length === 20);
    await engine.untilEnded(await engine.start(other));
    expect(witness.most.get("stuck")).toBe(1);
    held.open();
    await untilAllCompleted(workflow.name, 60);
    expect(witness.most.get("stuck")).toBe(1);
  });

  it("is held during a claim: a run that sleeps or waits for a retry holds none", async () => {
    const order: string[] = [];
    const workflow = defineWorkflow(
      { name: "sleeping-slot", input, concurrency: { limit: 1 } },
      async (ctx, { key }) => {
        await ctx.step("before", ({ attempt }) => {
          order.push(`${key} before`);
          if (key === "a" && attempt === 1) throw new RetryAfterError("busy", 400);
        });
        await ctx.sleep("nap", 300);
        await ctx.step("after", () => void order.push(`${key} after`));
      },
    );
    const ids = [await engine.start(workflow, { key: "a" }), await engine.start(workflow, { key: "b" })];
    await engine.worker([workflow]);
    for (const id of ids) expect((await engine.untilEnded(id)).run.status).toBe("completed");
    expect(order.slice(0, 3)).toEqual(["a before", "b before", expect.anything()]);
    expect(order.indexOf("b before")).toBeLessThan(order.indexOf("a after"));
  });

  it("makes a woken run wait for a slot, and reports it", async () => {
    const held = gate();
    const workflow = defineWorkflow(
      { name: "wakes-into-queue", input, concurrency: { limit: 1 } },
      async (ctx, { key }) => {
        if (key === "sleeper") await ctx.sleep("nap", 2_000);
        else await ctx.step("hold", () => held.opened);
      },
    );
    const sleeper = await engine.start(workflow, { key: "sleeper" });
    await engine.worker([workflow]);
    await engine.untilRun(sleeper, ({ run }) => run.status === "waiting");
    const holder = await engine.start(workflow, { key: "holder" });
    await engine.untilRun(holder, ({ run }) => run.status === "running");
    const { run } = await engine.untilRun(sleeper, ({ run }) => run.waiting_kind === "slot", "a wait for a slot");
    expect(run).toMatchObject({ status: "waiting", waiting_step: "nap", due_at: null });
    // Wake-ups meanwhile neither fail nor take its turn away.
    await wakeRun(engine.db, sleeper, undefined);
    await engine.untilRun(sleeper, ({ run }) => run.due_at === null && run.waiting_kind === "slot", "the same wait");
    held.open();
    expect((await engine.untilEnded(sleeper)).run.status).toBe("completed");
  });

  it("is released by a lost worker, and not earlier", async () => {
    const begun = gate();
    const workflow = defineWorkflow({ name: "lost-slot", input, concurrency: { limit: 1 } }, async (ctx, { key }) => {
      await ctx.step("work", ({ signal, attempt }) => {
        if (key !== "first" || attempt > 1) return "done";
        begun.open();
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      });
    });
    const first = await engine.start(workflow, { key: "first" });
    const victim = await engine.worker([workflow], { leaseMs: 60_000 });
    await begun.opened;
    const second = await engine.start(workflow, { key: "second" });
    await engine.worker([workflow]);
    await delay(200);
    expect((await engine.historyOf(second)).run.status).toBe("pending");
    await engine.rows(
      "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where id = $1",
      [(await engine.historyOf(first)).run.worker_id],
    );
    expect((await engine.untilEnded(second)).run.status).toBe("completed");
    expect((await engine.untilEnded(first)).run.status).toBe("completed");
    await victim.stop(0);
  });
});

describe("the order within a queue", () => {
  it("is by priority, then by age; runs that have begun continue first", async () => {
    const { workflow, witness } = aWitnessed("by-priority", { concurrency: { limit: 1, key: () => "all" } });
    for (const [key, priority] of [
      ["low", -5],
      ["first", 0],
      ["second", 0],
      ["high", 7],
    ] as const)
      await engine.start(workflow, { key }, { priority });
    await engine.worker([workflow]);
    await untilAllCompleted(workflow.name, 4);
    expect(witness.order).toEqual(["high", "high", "first", "first", "second", "second", "low", "low"]);
  });

  it("is by priority across the queues of a workflow, too", async () => {
    const { workflow, witness } = aWitnessed("across-queues", { concurrency: { limit: 1, key: byKey } });
    for (const [key, priority] of [
      ["low", -5],
      ["middle", 0],
      ["high", 7],
    ] as const)
      await engine.start(workflow, { key }, { priority });
    await engine.worker([workflow], { concurrency: 1 });
    await untilAllCompleted(workflow.name, 3);
    expect(witness.order).toEqual(["high", "high", "middle", "middle", "low", "low"]);
  });
});

describe("a rate", () => {
  it("is never more than the limit in any period, with many workers, by the database's clock", async () => {
    const { workflow } = aWitnessed("rated", { rateLimit: { limit: 3, perMs: 400, key: byKey } });
    for (let index = 0; index < 20; index++) await engine.start(workflow, { key: index % 2 ? "odd" : "even" });
    for (let index = 0; index < 3; index++) await engine.worker([workflow], { connections: 2 });
    await untilAllCompleted(workflow.name, 20);
    const [row] = await engine.rows<{ most: number; took: number }>(
      `select max(n)::int as most, extract(epoch from max(at) - min(at))::float8 * 1000 as took from (
        select started_at as at, count(*) over (partition by queue_key order by started_at
          range between interval '399.999 ms' preceding and current row) as n
        from handrail.run where workflow = $1) as begun`,
      [workflow.name],
    );
    expect(row?.most).toBe(3);
    expect(row?.took).toBeGreaterThanOrEqual(1_200);
  });

  it("counts all starts in its period", async () => {
    const rated = defineWorkflow(
      { name: "rated-hourly", input, rateLimit: { limit: 1, perMs: 3_600_000 } },
      async () => 1,
    );
    const free = defineWorkflow({ name: "not-rated", input }, async () => 1);
    await engine.worker([rated, free]);
    const first = await engine.start(rated);
    await engine.untilEnded(first);
    const sql = "update handrail.run set started_at = clock_timestamp() - interval '59 min' where id = $1";
    await engine.rows(sql, [first]);
    const second = await engine.start(rated);
    // Claimed after the second would have been.
    for (let turn = 0; turn < 3; turn++) await engine.untilEnded(await engine.start(free));
    expect((await engine.historyOf(second)).run.status).toBe("pending");
  });

  it("does not delay a run that has begun", async () => {
    const workflow = defineWorkflow(
      { name: "rated-sleeper", input, rateLimit: { limit: 1, perMs: 3_600_000 } },
      (ctx) => ctx.sleep("nap", 50),
    );
    const first = await engine.start(workflow);
    const second = await engine.start(workflow);
    await engine.worker([workflow]);
    expect((await engine.untilEnded(first)).run.status).toBe("completed");
    expect((await engine.historyOf(second)).run.status).toBe("pending");
  });

  it("does not delay several runs that have begun, with room on another worker for each", async () => {
    const both = gate();
    let awake = 0;
    const workflow = defineWorkflow(
      { name: "rated-sleepers", input, rateLimit: { limit: 2, perMs: 3_600_000 } },
      async (ctx) => {
        await ctx.sleep("nap", "1h");
        await ctx.step("wake", () => {
          if (++awake === 2) both.open();
          return both.opened;
        });
      },
    );
    const runIds = [await engine.start(workflow), await engine.start(workflow)];
    const first = await engine.worker([workflow]);
    for (const runId of runIds) await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await first.stop();
    for (const runId of runIds) await wakeRun(engine.db, runId, undefined);
    for (let index = 0; index < 2; index++) await engine.worker([workflow], { concurrency: 1 });
    for (const runId of runIds) expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });
});

describe("a window", () => {
  /** As the database's clock shows it in UTC. */
  const timeOfDay = async (offset: string) => {
    const [row] = await engine.rows<{ at: string }>(
      "select to_char((clock_timestamp() + $1::interval) at time zone 'UTC', 'HH24:MI:SS') as at",
      [offset],
    );
    return row?.at as string;
  };

  it("allows no claim outside, and reports when it opens", async () => {
    const window = { from: await timeOfDay("2 hours"), to: await timeOfDay("3 hours"), timeZone: "UTC" };
    const { workflow } = aWitnessed("closed-window", { window });
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    const opens = await until("The closed lane", async () => {
      const [lane] = await engine.rows<{ ms: number }>(
        "select extract(epoch from opens_at - clock_timestamp())::float8 * 1000 as ms from handrail.queue_lane where workflow = $1 and opens_at is not null",
        [workflow.name],
      );
      return lane?.ms;
    });
    expect(opens).toBeGreaterThan(3_600_000);
    expect(opens).toBeLessThanOrEqual(7_200_000);
    expect((await engine.historyOf(runId)).run.status).toBe("pending");
  });

  it("that ends during a run lets its step finish, and the run continues in the next one", async () => {
    const window = { from: await timeOfDay("-1 hour"), to: await timeOfDay("3 seconds"), timeZone: "UTC" };
    const held = gate();
    const { workflow, witness } = aWitnessed("ending-window", { window }, () => held.opened);
    const runId = await engine.start(workflow);
    const worker = await engine.worker([workflow]);
    await until("The end of the window", async () => {
      const [row] = await engine.rows<{ over: boolean }>(
        "select (clock_timestamp() at time zone 'UTC')::time > $1::time + interval '0.3 s' as over",
        [window.to],
      );
      return witness.order.length === 1 && row?.over;
    });
    held.open();
    const { run, steps } = await engine.untilRun(runId, ({ run }) => run.worker_id === null, "the end of the claim");
    expect(run).toMatchObject({ status: "pending", lost_claims: 0 });
    expect(steps).toMatchObject([{ name: "first", status: "completed" }]);
    await worker.stop();
    const { workflow: nextNight } = aWitnessed("ending-window", { concurrency: { limit: 5 } });
    await engine.rows("insert into handrail.queue_note (workflow, key) values ($1, '')", [workflow.name]);
    await engine.worker([nextNight]);
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });

  it("that is open over midnight lets runs begin", async () => {
    const window = { from: await timeOfDay("-1 hour"), to: await timeOfDay("22 hours"), timeZone: "UTC" };
    const { workflow } = aWitnessed("open-window", { window });
    await engine.worker([workflow]);
    expect((await engine.untilEnded(await engine.start(workflow))).run.status).toBe("completed");
  });
});

it("a queue whose workflow lost its limits is drained", async () => {
  const { workflow } = aWitnessed("was-limited", { concurrency: { limit: 1 } });
  const { workflow: now } = aWitnessed("was-limited", {});
  const runId = await engine.start(workflow);
  await engine.worker([now]);
  expect((await engine.untilEnded(runId)).run.status).toBe("completed");
});
