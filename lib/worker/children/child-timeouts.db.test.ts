import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { cancel, rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { aTimedFamily, byItsTimeout, sleeps, timedFamilies } from "../../testing/workflows/timed-children";

const engine = anEngine();
const { childrenOf, childOf, auditOf, makeDue } = timedFamilies(engine);
const input = z.object({});
const desk = () => aDesk(engine.db);
const reason = "because";
const timeout = "50ms";

describe("a child with a timeout", () => {
  it("that has not ended in time is cancelled once, by its parent's name, and fails the step", async () => {
    const { parent, child } = aTimedFamily("late", { timeout });
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    const { run, steps } = await engine.untilEnded(runId);
    const id = await childOf(runId);
    expect(run).toMatchObject({
      status: "failed",
      failed_step: "work",
      error: {
        code: "child_timed_out",
        message: `The child run ${id} of "late-child" had not ended after 50ms, and was cancelled.`,
      },
    });
    expect(steps).toMatchObject([{ status: "failed", reference: id, failures: 1 }]);
    expect((await engine.historyOf(id)).run.status).toBe("cancelled");
    expect(await auditOf(id)).toEqual([byItsTimeout(runId, "50ms")]);
  });

  it("that ends in time gives its output, and the timeout is over with it", async () => {
    const { parent, child } = aTimedFamily("in-time", { timeout: "1h" }, (ctx) => ctx.step("one", () => 1));
    const runId = await engine.start(parent);
    const worker = await engine.worker([parent]);
    const { run, steps } = await engine.untilRun(runId, (now) => now.run.status === "waiting");
    expect(run).toMatchObject({ waiting_kind: "child", waiting_step: "work" });
    expect(steps[0]?.next_attempt_at).toEqual(run.due_at);
    expect(run.due_at).not.toBeNull();
    await worker.stop();
    await engine.worker([parent, child]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 1, due_at: null });
  });

  it("is no hindrance to code that catches it", async () => {
    const child = defineWorkflow({ name: "caught-child", input }, sleeps);
    const parent = defineWorkflow({ name: "caught", input }, async (ctx) => {
      const code = await ctx.child("work", child, {}, { timeout }).catch((error) => error.code);
      await ctx.sleep("later", "10ms");
      return code;
    });
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: "child_timed_out" });
  });

  it("keeps its due time, however often its siblings wake the parent", async () => {
    const child = defineWorkflow({ name: "kept-due-child", input: z.object({ n: z.number() }) }, (ctx, { n }) =>
      n === 0 ? ctx.sleep("long", "1h") : ctx.step("quick", () => undefined),
    );
    const parent = defineWorkflow({ name: "kept-due", input }, (ctx) =>
      Promise.all([0, 1, 2, 3].map((n) => ctx.child(`work-${n}`, child, { n }, { timeout: "1h" }))),
    );
    const runId = await engine.start(parent);
    const worker = await engine.worker([parent]);
    const before = await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await worker.stop();
    await engine.worker([parent, child]);
    const after = await engine.untilRun(
      runId,
      ({ run, steps }) => run.status === "waiting" && steps.filter(({ status }) => status === "completed").length === 3,
    );
    const dueOf = (history: typeof before) => history.steps.find(({ name }) => name === "work-0")?.next_attempt_at;
    expect(after.run.epoch).toBeGreaterThan(before.run.epoch);
    expect(after.run.due_at).toEqual(dueOf(before));
    expect(dueOf(after)).toEqual(dueOf(before));
    await cancel(desk(), { runId, reason });
  });

  it("in a body when it is due ends that body first; the parent goes on after it", async () => {
    const inBody = gate();
    const held = gate();
    const { parent, child } = aTimedFamily("in-body", { timeout: "1h" }, async (ctx) => {
      await ctx.step("body", async () => {
        inBody.open();
        await held.opened;
        return "sent";
      });
      await ctx.step("never", () => 1);
    });
    const runId = await engine.start(parent);
    const first = await engine.worker([parent]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await first.stop();
    const id = await childOf(runId);
    await engine.worker([child]);
    await inBody.opened;
    await makeDue(runId);
    await engine.worker([parent]);
    const waiting = await engine.untilRun(
      runId,
      ({ run, steps }) => run.status === "waiting" && steps[0]?.error !== null,
    );
    expect(waiting.run).toMatchObject({ waiting_kind: "child", due_at: null });
    expect(waiting.steps).toMatchObject([
      { status: "waiting", reference: id, next_attempt_at: null, error: { code: "child_timed_out" } },
    ]);
    expect((await engine.historyOf(id)).run.status).toBe("running");
    held.open();
    expect((await engine.untilEnded(runId)).run.error).toMatchObject({ code: "child_timed_out" });
    const ended = await engine.historyOf(id);
    expect(ended.run.status).toBe("cancelled");
    expect(ended.steps).toMatchObject([{ name: "body", status: "completed", output: "sent" }]);
    expect(await auditOf(id)).toEqual([byItsTimeout(runId, "1h")]);
  });

  it("that completes before the cancel takes hold gives its output, as if in time", async () => {
    const inBody = gate();
    const held = gate();
    const { parent, child } = aTimedFamily("just-made-it", { timeout: "1h" }, (ctx) =>
      ctx.step("body", async () => {
        inBody.open();
        await held.opened;
        return "made it";
      }),
    );
    const runId = await engine.start(parent);
    const first = await engine.worker([parent]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await first.stop();
    const id = await childOf(runId);
    await engine.worker([child]);
    await inBody.opened;
    await makeDue(runId);
    await engine.worker([parent]);
    await until("The cancel", async () => (await auditOf(id)).length === 1);
    held.open();
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: "made it" });
    expect((await engine.historyOf(id)).run.status).toBe("completed");
  });

  it("that ends at the moment of its timeout keeps that end", async () => {
    const { parent } = aTimedFamily("same-moment", { timeout: "1h" });
    const runId = await engine.start(parent);
    const first = await engine.worker([parent]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await first.stop();
    const id = await childOf(runId);
    await makeDue(runId);
    const client = await engine.database.pool.connect();
    try {
      await client.query("begin");
      await client.query("select from handrail.run where id = $1 for no key update", [id]);
      await engine.worker([parent]);
      await until("The parent to wait for the child's row", async () => {
        const waiting = await engine.rows(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for no key update%' and datname = current_database()",
        );
        return waiting.length > 0;
      });
      await client.query(
        `update handrail.run set status = 'completed', output = '81', started_at = clock_timestamp(), finished_at = clock_timestamp() where id = $1`,
        [id],
      );
      await client.query("commit");
    } finally {
      client.release();
    }
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 81 });
    expect(await auditOf(id)).toEqual([]);
  });

  it("is cancelled with its own children, also one that a cancel of the parent would leave", async () => {
    const leaf = defineWorkflow({ name: "deep-leaf", input }, sleeps);
    const { parent, child } = aTimedFamily("deep", { timeout: "1h", onCancel: "leave" }, (ctx) =>
      Promise.all([ctx.child("bound", leaf, {}), ctx.startChild("apart", leaf, {})]),
    );
    const runId = await engine.start(parent);
    await engine.worker([parent, child, leaf]);
    const id = await childOf(runId);
    await until(
      "Two leaves",
      async () => (await childrenOf(id)).filter(({ status }) => status === "waiting").length === 2,
    );
    await engine.untilRun(id, ({ run }) => run.status === "waiting");
    await makeDue(runId);
    expect((await engine.untilEnded(runId)).run.error).toMatchObject({ code: "child_timed_out" });
    expect((await engine.historyOf(id)).run.status).toBe("cancelled");
    const leaves = await engine.rows<{ id: string }>(
      "select id::text, parent_step, status from handrail.run where parent_run_id = $1 order by parent_step desc",
      [id],
    );
    expect(leaves).toMatchObject([
      { parent_step: "bound", status: "cancelled" },
      { parent_step: "apart", status: "waiting" },
    ]);
    expect(await auditOf(leaves[0]?.id as string)).toEqual([
      { ...byItsTimeout(runId, "1h"), reason: `Its parent was cancelled: ${byItsTimeout(runId, "1h").reason}` },
    ]);
  });

  it("is one of many: each is cancelled once, and none keeps the others up", async () => {
    const child = defineWorkflow({ name: "many-child", input }, sleeps);
    const parent = defineWorkflow({ name: "many", input }, async (ctx) => {
      const ends = await Promise.allSettled(
        Array.from({ length: 60 }, (_, n) => ctx.child(`work-${n}`, child, {}, { timeout })),
      );
      return ends.filter(({ status }) => status === "rejected").length;
    });
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 60 });
    const audited = await engine.rows<{ count: number; runs: number }>(
      "select count(*)::int, count(distinct run_id)::int as runs from handrail.audit where actor = $1",
      [`run ${runId}`],
    );
    expect(audited).toEqual([{ count: 60, runs: 60 }]);
    expect((await childrenOf(runId)).every(({ status }) => status === "cancelled")).toBe(true);
  });

  it("is refused for a child that is only started", async () => {
    const child = defineWorkflow({ name: "unwaited-child", input }, sleeps);
    const parent = defineWorkflow({ name: "unwaited", input }, (ctx) =>
      // @ts-expect-error: the types refuse it, too.
      ctx.startChild("work", child, {}, { timeout: "1m" }),
    );
    const { run } = await engine.runToEnd(parent);
    expect(run.error).toMatchObject({
      code: "invalid_workflow",
      message: expect.stringContaining('startChild("work", …) takes no timeout'),
    });
    expect(await childrenOf(run.id)).toEqual([]);
  });
});

describe("a failed child that is waited for", () => {
  const family = (name: string) => {
    let broken = true;
    const { parent, child } = aTimedFamily(name, { timeout: "1h", onFailure: "wait" }, (ctx) =>
      ctx.step(
        "charge",
        () => {
          if (broken) throw new Error("declined");
          return "charged";
        },
        { retry: { maxAttempts: 1 } },
      ),
    );
    const repair = () => {
      broken = false;
    };
    return { parent, child, repair };
  };

  it("fails the step when the timeout is over, and stays to be repaired", async () => {
    const { parent, child } = family("unrepaired");
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    const id = await childOf(runId);
    await engine.untilEnded(id);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting" && run.due_at !== null);
    await makeDue(runId);
    expect((await engine.untilEnded(runId)).run).toMatchObject({
      status: "failed",
      failed_step: "work",
      error: {
        code: "child_timed_out",
        message: expect.stringContaining("was not repaired within 1h: declined"),
        cause: { message: "declined" },
      },
    });
    expect((await engine.historyOf(id)).run).toMatchObject({ status: "failed", attention: "failed" });
    expect(await auditOf(id)).toEqual([]);
  });

  it("and repaired in time gives its output", async () => {
    const { parent, child, repair } = family("repaired");
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    const id = await childOf(runId);
    await engine.untilEnded(id);
    repair();
    await rerun(desk(), { runId: id, reason });
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: "charged" });
  });
});
