import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineLimit, type StepLimits } from "../../engine/queues/step-limit";
import { RetryAfterError } from "../../engine/steps/retry-policy";
import type { StepBody } from "../../engine/workflows/step-options";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { readRun } from "../../operator/runs/reads";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({ key: z.string().default("") });
type Input = z.infer<typeof input>;

/** When each permit was taken, by the database's clock. */
beforeAll(async () => {
  await engine.rows("create table permit_ledger (limit_name text, limit_key text, at timestamptz)");
  await engine.rows(`create function note_permit() returns trigger language plpgsql as $$ begin
    insert into permit_ledger values (new.limit_name, new.limit_key, new.taken_at); return null; end $$`);
  await engine.rows(
    "create trigger note_permit after insert or update on handrail.permit for each row execute function note_permit()",
  );
});

/** Most permits of a limit in any period of `perMs`. */
async function mostIn(limit: string, perMs: number): Promise<{ most: number; taken: number }> {
  const [row] = await engine.rows<{ most: number; taken: number }>(
    `select max(n)::int as most, count(*)::int as taken from (
      select count(*) over (partition by limit_key order by at range between $2::interval preceding and current row) as n
      from permit_ledger where limit_name = $1) as taken`,
    [limit, `${perMs - 0.001} milliseconds`],
  );
  return row as { most: number; taken: number };
}

/** Running bodies, by what they are counted as. */
class Witness {
  readonly most = new Map<string, number>();
  readonly order: string[] = [];
  private readonly inside = new Map<string, number>();

  async body(keys: readonly string[], work: () => unknown = () => delay(3)): Promise<void> {
    for (const key of keys) {
      const now = (this.inside.get(key) ?? 0) + 1;
      this.inside.set(key, now);
      this.most.set(key, Math.max(this.most.get(key) ?? 0, now));
    }
    await work();
    for (const key of keys) this.inside.set(key, (this.inside.get(key) as number) - 1);
  }
}

const limitedBy = (name: string, limit: StepLimits, body: (given: Input, body: StepBody) => unknown) =>
  defineWorkflow({ name, input }, (ctx, given) => ctx.step("call", (about) => body(given, about), { limit }));

const untilAllCompleted = (workflow: string, count: number) =>
  until(`The end of ${count} runs of ${workflow}`, async () => {
    const [row] = await engine.rows<{ done: number }>(
      "select count(*)::int as done from handrail.run where workflow = $1 and status = 'completed'",
      [workflow],
    );
    return row?.done === count;
  });

const untilWaiting = (runId: string) =>
  engine.untilRun(runId, ({ run }) => run.waiting_kind === "permit", "a wait for a permit");

describe("concurrency", () => {
  it("is never more than the limit, of two workflows and many workers together, and reaches it", async () => {
    const shared = defineLimit({ name: "shared", concurrency: 3 });
    const witness = new Witness();
    const body = () => witness.body(["all"], () => delay(25));
    const one = limitedBy("shared-one", shared, body);
    const other = limitedBy("shared-other", shared, body);
    for (let index = 0; index < 40; index++) await engine.start(index % 2 ? one : other);
    for (let index = 0; index < 4; index++) await engine.worker([one, other], { concurrency: 10, connections: 3 });
    await untilAllCompleted(one.name, 20);
    await untilAllCompleted(other.name, 20);
    expect(witness.most.get("all")).toBe(3);
    expect(await engine.rows("select from handrail.permit_wait where limit_name = 'shared'")).toEqual([]);
  });

  it("is of each key, beside another limit of all", async () => {
    const total = defineLimit({ name: "of-all", concurrency: 4 });
    const each = defineLimit({ name: "of-each", concurrency: 2 });
    const witness = new Witness();
    const workflow = defineWorkflow({ name: "two-limits", input }, (ctx, { key }) =>
      ctx.step("call", () => witness.body(["all", key], () => delay(20)), { limit: [total, { ...each, key }] }),
    );
    for (let index = 0; index < 45; index++) await engine.start(workflow, { key: `k${index % 3}` });
    for (let index = 0; index < 3; index++) await engine.worker([workflow], { concurrency: 20, connections: 3 });
    await untilAllCompleted(workflow.name, 45);
    expect(witness.most.get("all")).toBeLessThanOrEqual(4);
    for (const key of ["k0", "k1", "k2"]) expect(witness.most.get(key)).toBeLessThanOrEqual(2);
    expect(witness.most.get("all")).toBeGreaterThan(2);
    const keys = await engine.rows<{ key: string }>("select key from handrail.step_limit where name = 'of-each'");
    expect(keys).toHaveLength(3);
    expect(JSON.stringify(keys)).not.toContain("k0");
  });

  it("holds one run's parallel steps apart, and they do not wait for each other for ever", async () => {
    const witness = new Witness();
    const limit = { name: "parallel", concurrency: 1 };
    const workflow = defineWorkflow({ name: "parallel-steps", input }, async (ctx) => {
      await Promise.all(
        ["a", "b", "c", "d"].map((name) => ctx.step(name, () => witness.body(["all"], () => delay(10)), { limit })),
      );
    });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run.status).toBe("completed");
    expect(steps.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
    expect(witness.most.get("all")).toBe(1);
  });

  it("counts transactional steps, and the items of a map", async () => {
    const witness = new Witness();
    const limit = { name: "of-any-kind", concurrency: 1 };
    const workflow = defineWorkflow({ name: "any-kind", input }, async (ctx) => {
      await Promise.all([
        ctx.transaction("write", () => witness.body(["all"], () => delay(10)), { client: "pg", limit }),
        ctx.mapSteps([1, 2, 3], "items", () => witness.body(["all"]), { limit }),
      ]);
    });
    const { run } = await engine.runToEnd(workflow);
    expect(run.status).toBe("completed");
    expect(witness.most.get("all")).toBe(1);
  });
});

describe("a step without a permit", () => {
  /** A run that holds the only permit until the gate opens. */
  async function held(name: string) {
    const holds = gate();
    const entered: string[] = [];
    const workflow = limitedBy(name, { name, concurrency: 1 }, ({ key }) => {
      entered.push(key);
      return key === "holder" ? holds.opened : undefined;
    });
    const holder = await engine.start(workflow, { key: "holder" });
    return { workflow, holder, holds, entered };
  }

  it("waits without a worker's slot, and says so; then it goes on at once", async () => {
    const { workflow, holds, holder, entered } = await held("without-slot");
    const free = defineWorkflow({ name: "beside-without-slot", input }, async () => "done");
    await engine.worker([workflow, free], { concurrency: 2 });
    await until("The holder's body", () => entered.length === 1);
    const waiter = await engine.start(workflow, { key: "waiter" });
    const { run, steps } = await untilWaiting(waiter);
    expect(run).toMatchObject({ status: "waiting", waiting_kind: "permit", waiting_step: "call", worker_id: null });
    expect(steps).toMatchObject([{ name: "call", status: "waiting", attempt: 0, error: null }]);
    const { permits, waitingFor, summary } = await readRun(engine.db, waiter);
    expect(permits).toEqual([
      {
        ...{ step: "call", limit: "without-slot", keyed: false, concurrency: 1, rate: null },
        ...{ held: 1, started: 0, ahead: 0, asksAt: expect.any(String) },
      },
    ]);
    expect(waitingFor).toMatchObject({ kind: "permit", step: "call", until: permits[0]?.asksAt });
    expect(summary).toContain("Waiting for a permit of a limit");
    await engine.untilEnded(await engine.start(free));
    const opened = Date.now();
    holds.open();
    expect((await engine.untilEnded(waiter)).run.status).toBe("completed");
    // It is called: it does not only ask again by itself, after five seconds.
    expect(Date.now() - opened).toBeLessThan(4_000);
    await engine.untilEnded(holder);
  });

  it("comes in the order of the line, also before one that asks for the first time", async () => {
    const { workflow, holds, entered } = await held("in-order");
    await engine.worker([workflow]);
    await until("The holder's body", () => entered.length === 1);
    const ids: string[] = [];
    for (const key of ["first", "second", "third"]) {
      const runId = await engine.start(workflow, { key });
      await untilWaiting(runId);
      ids.push(runId);
    }
    holds.open();
    await engine.worker([workflow]);
    ids.push(await engine.start(workflow, { key: "late" }));
    for (const id of ids) await engine.untilEnded(id);
    expect(entered).toEqual(["holder", "first", "second", "third", "late"]);
  });

  it("is not starved by a run that asks again and again", async () => {
    const limit = { name: "hot", concurrency: 1 };
    const order: string[] = [];
    const hot = defineWorkflow({ name: "hot-loop", input }, async (ctx) => {
      for (let round = 0; round < 300; round++)
        await ctx.step(`round:${round}`, () => delay(10).then(() => void order.push("hot")), { limit });
    });
    const cool = limitedBy("cool", limit, () => void order.push("cool"));
    await engine.worker([hot, cool]);
    const loop = await engine.start(hot);
    await until("The loop", () => order.length > 3);
    await engine.untilEnded(await engine.start(cool));
    await engine.untilEnded(loop);
    expect(order.indexOf("cool")).toBeLessThan(order.length - 50);
  });

  it("holds up nobody when its run is paused or cancelled meanwhile", async () => {
    const { workflow, holds, entered } = await held("gone-waiters");
    const worker = await engine.worker([workflow]);
    await until("The holder's body", () => entered.length === 1);
    const ids: string[] = [];
    for (const key of ["paused", "cancelled", "next"]) {
      const runId = await engine.start(workflow, { key });
      await untilWaiting(runId);
      ids.push(runId);
    }
    await engine.rows(
      `update handrail.run set status = 'paused', held_due_at = due_at, due_at = null, waiting_kind = null, waiting_step = null,
        waiting_since = null, pause_requested_at = clock_timestamp() where id = $1`,
      [ids[0]],
    );
    await engine.rows(
      `update handrail.run set status = 'cancelled', due_at = null, waiting_kind = null, waiting_step = null, waiting_since = null,
        finished_at = clock_timestamp() where id = $1`,
      [ids[1]],
    );
    const opened = Date.now();
    holds.open();
    await engine.untilEnded(ids[2] as string);
    expect(Date.now() - opened).toBeLessThan(4_000);
    expect(entered).toEqual(["holder", "next"]);
    await worker.stop();
  });

  it("takes the permit of a lost worker when its run is taken over, and not earlier", async () => {
    const begun = gate();
    const workflow = limitedBy(
      "lost-permit",
      { name: "lost-permit", concurrency: 1 },
      ({ key }, { signal, attempt }) => {
        if (key !== "first" || attempt > 1) return "done";
        begun.open();
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    );
    const first = await engine.start(workflow, { key: "first" });
    const victim = await engine.worker([workflow], { leaseMs: 60_000 });
    await begun.opened;
    const second = await engine.start(workflow, { key: "second" });
    await engine.worker([workflow]);
    await untilWaiting(second);
    await delay(200);
    expect((await engine.historyOf(second)).steps).toMatchObject([{ status: "waiting" }]);
    await engine.rows(
      "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where id = $1",
      [(await engine.historyOf(first)).run.worker_id],
    );
    expect((await engine.untilEnded(second)).run.status).toBe("completed");
    expect((await engine.untilEnded(first)).run.status).toBe("completed");
    await victim.stop(0);
  });

  it("whose code has lost the limit meanwhile goes on without one", async () => {
    const { workflow, entered, holder } = await held("was-limited");
    const limited = await engine.worker([workflow]);
    await until("The holder's body", () => entered.length === 1);
    const waiter = await engine.start(workflow, { key: "waiter" });
    await untilWaiting(waiter);
    const stopping = limited.stop(0);
    const now = defineWorkflow({ name: workflow.name, input }, (ctx: Context) => ctx.step("call", () => "free"));
    await stopping;
    await engine.worker([now]);
    for (const runId of [waiter, holder]) expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });
});

describe("a rate", () => {
  it("is never more than the limit in any period, with many workers, retries included", async () => {
    const limit = { name: "rated", rateLimit: { limit: 4, perMs: 400 } };
    const workflow = limitedBy("rated-steps", limit, ({ key }, { attempt }) => {
      if (key === "0" && attempt === 1) throw new RetryAfterError("busy", 1);
    });
    for (let index = 0; index < 20; index++) await engine.start(workflow, { key: String(index % 10) });
    for (let index = 0; index < 3; index++) await engine.worker([workflow], { connections: 3 });
    await untilAllCompleted(workflow.name, 20);
    // Two of them took two attempts.
    expect(await mostIn("rated", 400)).toEqual({ most: 4, taken: 22 });
  });

  it("lets a run sleep until its period has room", async () => {
    const limit = { name: "hourly", rateLimit: { limit: 1, perMs: 3_600_000 } };
    const workflow = limitedBy("hourly-steps", limit, () => "done");
    await engine.worker([workflow]);
    await engine.untilEnded(await engine.start(workflow));
    const waiters: string[] = [];
    for (let index = 0; index < 2; index++) {
      const waiter = await engine.start(workflow);
      await untilWaiting(waiter);
      waiters.push(waiter);
    }
    const [first, second] = await Promise.all(waiters.map(async (id) => (await engine.historyOf(id)).run.due_at));
    const inMs = (at: Date | string | null | undefined) => new Date(at as Date).getTime() - Date.now();
    expect(inMs(first)).toBeGreaterThan(3_500_000);
    expect(inMs(first)).toBeLessThanOrEqual(3_600_000);
    expect(inMs(second)).toBeGreaterThan(inMs(first) - 1_000);
  });
});

it("a wait for a retry is not cut short by permits that are free", async () => {
  const instants: number[] = [];
  const limit = { name: "free-retry", concurrency: 5 };
  const workflow = defineWorkflow({ name: "retry-beside", input }, async (ctx) => {
    await Promise.all([
      ctx.step(
        "busy",
        ({ attempt }) => {
          instants.push(Date.now());
          if (attempt === 1) throw new RetryAfterError("later", 600);
        },
        { limit },
      ),
      ctx.sleep("nap", 100),
    ]);
  });
  const { run } = await engine.runToEnd(workflow);
  expect(run.status).toBe("completed");
  expect((instants[1] as number) - (instants[0] as number)).toBeGreaterThanOrEqual(590);
});

it("a wrong limit fails the run before anything of the step is written", async () => {
  const workflow = defineWorkflow({ name: "wrong-limit", input }, (ctx) =>
    ctx.step("call", () => "done", { limit: { name: "wrong", concurrency: 0 } }),
  );
  const { run, steps } = await engine.runToEnd(workflow);
  expect(run).toMatchObject({ status: "failed", error: { code: "invalid_workflow" } });
  expect(steps).toEqual([]);
  expect(await engine.rows("select from handrail.step_limit where name = 'wrong'")).toEqual([]);
});
