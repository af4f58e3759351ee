import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Context, defineWorkflow, type TypedWorkflow } from "../../engine/workflows/workflow";
import { wakeAllParents, wakeParents } from "../../store/runs/wake-parents";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { cancel, rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { claimOne } from "../../testing/rows/claims";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { type FaultPoint, setFaultHandler } from "../fault-points";

const engine = anEngine();
const input = z.object({});
const desk = () => aDesk(engine.db);
const reason = "because";

const childrenOf = (runId: string) =>
  engine.rows<{ id: string; status: string; parent_step: string; tells_parent: boolean }>(
    "select id::text, status, parent_step, tells_parent from handrail.run where parent_run_id = $1 order by id",
    [runId],
  );

type Item = TypedWorkflow<z.ZodObject<{ n: z.ZodNumber }>, number>;

/** A pair of workflows for one test; the child returns the square of its number, by a step. */
function aFamily(name: string, parent: (ctx: Context, child: Item) => Promise<unknown>) {
  const child = defineWorkflow({ name: `${name}-child`, input: z.object({ n: z.number() }) }, (ctx, { n }) =>
    ctx.step("square", () => n * n),
  );
  return { child, parent: defineWorkflow({ name, input }, (ctx) => parent(ctx, child)) };
}

/** Does something once, when the worker passes the point. */
function onceAt(at: FaultPoint, act: () => unknown): void {
  let done = false;
  setFaultHandler(async (point) => {
    if (point !== at || done) return;
    done = true;
    await act();
  });
}

describe("a child", () => {
  it("is started once, frees the parent's worker, and returns its result", async () => {
    const { parent, child } = aFamily("one-child", async (ctx, item) => (await ctx.child("nine", item, { n: 3 })) + 1);
    const runId = await engine.start(parent);
    await engine.worker([parent]);
    const waiting = await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    expect(waiting.run).toMatchObject({ waiting_kind: "child", waiting_step: "nine", due_at: null, worker_id: null });
    const [started] = await childrenOf(runId);
    expect(started).toMatchObject({ status: "pending", parent_step: "nine", tells_parent: true });
    expect(waiting.steps).toMatchObject([{ kind: "child", status: "waiting", reference: started?.id }]);
    await engine.worker([child]);
    const { run, steps } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "completed", output: 10 });
    expect(steps).toMatchObject([{ name: "nine", status: "completed", output: 9, reference: started?.id }]);
    expect(await childrenOf(runId)).toMatchObject([{ status: "completed", tells_parent: false }]);
  });

  it("that is only started returns its id at once, and outlives its parent", async () => {
    const { parent, child } = aFamily("fire", (ctx, item) => ctx.startChild("later", item, { n: 2 }));
    const runId = await engine.start(parent);
    await engine.worker([parent]);
    const { run } = await engine.untilEnded(runId);
    const [started] = await childrenOf(runId);
    expect(run).toMatchObject({ status: "completed", output: started?.id });
    await engine.worker([child]);
    expect((await engine.untilEnded(started?.id as string)).run).toMatchObject({ status: "completed", output: 4 });
  });

  it("with an invalid input is not started: the parent fails and names the path", async () => {
    const { parent } = aFamily("misfit", (ctx, item) => ctx.child("bad", item, { n: "three" } as never));
    const { run, steps } = await engine.runToEnd(parent);
    expect(run).toMatchObject({ status: "failed", error: { code: "invalid_input" } });
    expect(steps).toEqual([]);
    expect(await childrenOf(run.id)).toEqual([]);
  });

  it("may have children", async () => {
    const leaf = defineWorkflow({ name: "tree-leaf", input }, (ctx) => ctx.step("leaf", () => 1));
    const branch = defineWorkflow({ name: "tree-branch", input }, async (ctx) => {
      const leaves = await Promise.all([1, 2, 3].map((n) => ctx.child(`leaf-${n}`, leaf, {})));
      return leaves.length;
    });
    const root = defineWorkflow({ name: "tree-root", input }, async (ctx) => {
      const branches = await Promise.all([1, 2].map((n) => ctx.child(`branch-${n}`, branch, {})));
      return branches.reduce((sum, leaves) => sum + leaves, 0);
    });
    const runId = await engine.start(root);
    await engine.worker([leaf, branch, root]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 6 });
  });

  it("that ends while the parent runs another branch is reported before that branch ends", async () => {
    const held = gate();
    const order: string[] = [];
    const { parent, child } = aFamily("beside", (ctx, item) =>
      Promise.all([
        ctx.child("nine", item, { n: 3 }).then(() => {
          order.push("child");
          held.open();
        }),
        ctx.step("long", () => held.opened.then(() => void order.push("long"))),
      ]),
    );
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
    expect(order).toEqual(["child", "long"]);
  });
});

describe("a child that fails", () => {
  const failing = (name: string, options: { onFailure?: "throw" | "wait" } = {}) => {
    let broken = true;
    const child = defineWorkflow({ name: `${name}-child`, input }, (ctx) =>
      ctx.step(
        "charge",
        () => {
          if (broken) throw Object.assign(new Error("declined"), { code: "card_declined" });
          return "charged";
        },
        { retry: { maxAttempts: 1 } },
      ),
    );
    const parent = defineWorkflow({ name, input }, (ctx) => ctx.child("pay", child, {}, options));
    const repair = () => {
      broken = false;
    };
    return { parent, child, repair };
  };

  it("fails the step of its parent with a code, the child's error as its cause; repaired, the parent's rerun takes its result", async () => {
    const { parent, child, repair } = failing("throws");
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    const { run, steps } = await engine.untilEnded(runId);
    const [{ id } = { id: "" }] = await childrenOf(runId);
    expect(run).toMatchObject({
      status: "failed",
      failed_step: "pay",
      error: { code: "child_failed", cause: { message: "declined", code: "card_declined" } },
    });
    expect(steps).toMatchObject([{ status: "failed", reference: id }]);
    repair();
    await rerun(desk(), { runId: id, reason });
    await engine.untilEnded(id);
    // P6: the parent's end is also final until a rerun.
    expect((await engine.historyOf(runId)).run.status).toBe("failed");
    await rerun(desk(), { runId, reason });
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: "charged" });
    expect(await childrenOf(runId)).toHaveLength(1);
  });

  it("leaves a parent that is declared so waiting, and its rerun wakes the parent", async () => {
    const { parent, child, repair } = failing("waits", { onFailure: "wait" });
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    const { id } = await until("The child", async () => (await childrenOf(runId))[0]);
    await engine.untilEnded(id);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting" && run.due_at === null);
    repair();
    await rerun(desk(), { runId: id, reason });
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: "charged" });
  });

  it("or is cancelled fails the step, too", async () => {
    const { parent } = aFamily("child-cancelled", (ctx, item) => ctx.child("nine", item, { n: 3 }));
    const runId = await engine.start(parent);
    await engine.worker([parent]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    const [{ id } = { id: "" }] = await childrenOf(runId);
    await cancel(desk(), { runId: id, reason });
    const { run } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "failed", error: { code: "child_failed" } });
    expect(run.error?.message).toContain("was cancelled");
  });
});

describe("a rerun of the parent", () => {
  it("with its keys joins the existing child; with fresh keys it starts another", async () => {
    const { parent, child } = aFamily("rejoin", (ctx, item) => ctx.child("nine", item, { n: 3 }));
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    await engine.untilEnded(runId);
    await rerun(desk(), { runId, fromStep: "nine", reason });
    await engine.untilRun(runId, ({ run }) => run.status === "completed" && run.generation === 2);
    expect(await childrenOf(runId)).toHaveLength(1);
    await rerun(desk(), { runId, fromStep: "nine", freshKeys: true, reason });
    await engine.untilRun(runId, ({ run }) => run.status === "completed" && run.generation === 3);
    expect(await childrenOf(runId)).toHaveLength(2);
  });
});

describe("a cancel of the parent", () => {
  it("cancels the children that it waits for, and theirs, each with its audit row; one that was only started continues", async () => {
    const leaf = defineWorkflow({ name: "cascade-leaf", input }, (ctx) => ctx.sleep("long", "1h"));
    const branch = defineWorkflow({ name: "cascade-branch", input }, (ctx) => ctx.child("leaf", leaf, {}));
    const root = defineWorkflow({ name: "cascade-root", input }, async (ctx) => {
      await ctx.startChild("apart", leaf, {});
      await ctx.startChild("bound", leaf, {}, { onCancel: "cancel" });
      await Promise.all([ctx.child("a", branch, {}), ctx.child("b", branch, {}, { onCancel: "leave" })]);
    });
    const runId = await engine.start(root);
    await engine.worker([leaf, branch, root]);
    const asleep = () =>
      engine.rows(
        `select from handrail.run where workflow like 'cascade-%' and status = 'waiting' and worker_id is null`,
      );
    await until("Seven runs asleep", async () => (await asleep()).length === 7);
    await cancel(desk(), { runId, reason });
    const all = await engine.rows(
      `select run.parent_step, run.status, audit.reason from handrail.run left join handrail.audit on audit.run_id = run.id
       where run.workflow like 'cascade-%' and run.id <> $1 order by run.status, run.parent_step`,
      [runId],
    );
    const cause = `Its parent was cancelled: ${reason}`;
    expect(all).toEqual([
      { parent_step: "a", status: "cancelled", reason: cause },
      { parent_step: "bound", status: "cancelled", reason: cause },
      { parent_step: "leaf", status: "cancelled", reason: cause },
      { parent_step: "apart", status: "waiting", reason: null },
      { parent_step: "b", status: "waiting", reason: null },
      { parent_step: "leaf", status: "waiting", reason: null },
    ]);
  });

  it("at the start of a child cancels that child, too", async () => {
    const { parent, child } = aFamily("cancel-race", (ctx, item) => ctx.child("nine", item, { n: 3 }));
    const runId = await engine.start(parent);
    onceAt("flush:before", () => cancel(desk(), { runId, reason }));
    await engine.worker([parent, child]);
    expect((await engine.untilEnded(runId)).run.status).toBe("cancelled");
    const [born] = await childrenOf(runId);
    expect((await engine.untilEnded(born?.id as string)).run.status).toBe("cancelled");
  });
});

describe("any order of the child's end and the parent's suspension", () => {
  it("an end during the parent's last record wakes it again", async () => {
    const { parent, child } = aFamily("end-first", (ctx, item) => ctx.child("nine", item, { n: 3 }));
    const runId = await engine.start(parent);
    // The parent has checked, found nothing, and is about to rest: then the child ends.
    onceAt("run:before-suspend", async () => {
      const claimed = await claimOne(engine.db, child);
      await engine.rows(
        `update handrail.run set status = 'completed', output = '81', finished_at = clock_timestamp(), worker_id = null where id = $1`,
        [claimed.id],
      );
      await wakeParents(engine.db, [runId]);
    });
    await engine.worker([parent]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 81 });
  });

  it("an end whose process died before it reported it is reported by the next sweep", async () => {
    const { parent, child } = aFamily("untold", (ctx, item) => ctx.child("nine", item, { n: 3 }));
    const runId = await engine.start(parent);
    const worker = await engine.worker([parent]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await worker.stop();
    const claimed = await claimOne(engine.db, child);
    await engine.rows(
      `update handrail.run set status = 'completed', output = '81', finished_at = clock_timestamp(), worker_id = null where id = $1`,
      [claimed.id],
    );
    expect((await engine.historyOf(runId)).run.due_at).toBeNull();
    expect(await wakeAllParents(engine.db)).toEqual([runId]);
    expect(await wakeAllParents(engine.db)).toEqual([]);
    await engine.worker([parent]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 81 });
  });

  it("many of both at once miss none", async () => {
    const { parent, child } = aFamily("at-once", (ctx, item) => ctx.child("nine", item, { n: 3 }));
    const ids = await Promise.all(Array.from({ length: 60 }, () => engine.start(parent)));
    // Long leases: no sweep interferes.
    await Promise.all([
      engine.worker([parent], { leaseMs: 60_000, concurrency: 4 }),
      engine.worker([child], { leaseMs: 60_000, concurrency: 4 }),
      engine.worker([parent, child], { leaseMs: 60_000, concurrency: 4 }),
    ]);
    for (const id of ids) expect((await engine.untilEnded(id)).run).toMatchObject({ status: "completed", output: 9 });
  });

  it("a parent whose worker dies between a child's start and the parent's suspension continues with the same child", async () => {
    const { parent, child } = aFamily("parent-dies", (ctx, item) => ctx.child("nine", item, { n: 3 }));
    const runId = await engine.start(parent);
    const stuck = gate();
    onceAt("run:before-suspend", () => stuck.opened);
    await engine.worker([parent], { leaseMs: 60_000 });
    await until("The child", async () => (await childrenOf(runId)).length === 1);
    await engine.endLeases();
    await takeOverLostRuns(engine.db);
    await engine.worker([parent, child], { leaseMs: 60_000 });
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 9 });
    expect(await childrenOf(runId)).toHaveLength(1);
    stuck.open();
    await delay(20);
  });
});

describe("a fan-out", () => {
  it("to 500 starts all together, each once, and wakes the parent a few times, not 500", async () => {
    const { parent, child } = aFamily("fan-out", async (ctx, item) => {
      const squares = await Promise.all(Array.from({ length: 500 }, (_, n) => ctx.child(`item-${n}`, item, { n })));
      return squares.reduce((sum, square) => sum + square, 0);
    });
    const runId = await engine.start(parent);
    await engine.worker([parent, child], { leaseMs: 60_000, concurrency: 100 });
    const { run } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "completed", output: 41_541_750 });
    expect(await childrenOf(runId)).toHaveLength(500);
    expect(run.epoch).toBeLessThan(20);
  });
});
