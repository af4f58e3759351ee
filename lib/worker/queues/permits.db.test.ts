import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { defineLimit } from "../../engine/queues/step-limit";
import { RetryAfterError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { keyed, limitedBy } from "../../testing/workflows/limited-by";

const engine = anEngine();

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
    const three = gate();
    const body = () =>
      witness.body(["all"], async () => {
        if (witness.most.get("all") === 3) three.open();
        await three.opened;
        await delay(25);
      });
    const one = limitedBy("shared-one", shared, body);
    const other = limitedBy("shared-other", shared, body);
    for (let index = 0; index < 24; index++) await engine.start(index % 2 ? one : other);
    for (let index = 0; index < 4; index++) await engine.worker([one, other], { concurrency: 10, connections: 3 });
    await untilAllCompleted(one.name, 12);
    await untilAllCompleted(other.name, 12);
    expect(witness.most.get("all")).toBe(3);
    expect(await engine.rows("select from handrail.permit_wait where limit_name = 'shared'")).toEqual([]);
  });

  it("is of each key, beside another limit of all", async () => {
    const total = defineLimit({ name: "of-all", concurrency: 4 });
    const each = defineLimit({ name: "of-each", concurrency: 2 });
    const witness = new Witness();
    const workflow = defineWorkflow({ name: "two-limits", input: keyed }, (ctx, { key }) =>
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

  it("counts each attempt: a retry has a permit as well", async () => {
    const witness = new Witness();
    const limit = { name: "retried", concurrency: 1 };
    const workflow = limitedBy("retried", limit, async ({ key }, { attempt }) => {
      if (key === "first" && attempt === 1) throw new RetryAfterError("busy", 1);
      await witness.body(["all"], async () => {
        if (key !== "first") return;
        // It asks for the first time while the retry runs.
        await engine.start(workflow, { key: "second" });
        worker.wake();
        await delay(500);
      });
    });
    const { worker } = await engine.worker([workflow]);
    await engine.start(workflow, { key: "first" });
    worker.wake();
    await untilAllCompleted(workflow.name, 2);
    expect(witness.most.get("all")).toBe(1);
  });

  it("holds one run's parallel steps apart, and they do not wait for each other for ever", async () => {
    const witness = new Witness();
    const limit = { name: "parallel", concurrency: 1 };
    const workflow = defineWorkflow({ name: "parallel-steps", input: keyed }, async (ctx) => {
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
    const workflow = defineWorkflow({ name: "any-kind", input: keyed }, async (ctx) => {
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
  const workflow = defineWorkflow({ name: "retry-beside", input: keyed }, async (ctx) => {
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
  const workflow = defineWorkflow({ name: "wrong-limit", input: keyed }, (ctx) =>
    ctx.step("call", () => "done", { limit: { name: "wrong", concurrency: 0 } }),
  );
  const { run, steps } = await engine.runToEnd(workflow);
  expect(run).toMatchObject({ status: "failed", error: { code: "invalid_workflow" } });
  expect(steps).toEqual([]);
  expect(await engine.rows("select from handrail.step_limit where name = 'wrong'")).toEqual([]);
});
