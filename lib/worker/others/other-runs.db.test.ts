import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineEvent } from "../../engine/events/event";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});
const NOBODY = "00000000-0000-7000-8000-000000000000";

const workflowOf = (name: string, code: (ctx: Context) => Promise<unknown>) => defineWorkflow({ name, input }, code);
const sleeperOf = (name: string) => workflowOf(name, (ctx) => ctx.sleep("long", "1h"));
const auditOf = (runId: string) =>
  engine.rows("select actor, actor_kind, act, reason, after from handrail.audit where run_id = $1 order by id", [
    runId,
  ]);

/** A run of this workflow that sleeps. */
async function asleep(workflow: ReturnType<typeof sleeperOf>): Promise<string> {
  const runId = await engine.start(workflow);
  await engine.worker([workflow]);
  await engine.untilRun(runId, ({ run }) => run.status === "waiting");
  return runId;
}

describe("ctx.cancelRun", () => {
  it("cancels a run at rest once, as an operator would, and the audit log names the run that did it", async () => {
    const target = await asleep(sleeperOf("cancel-at-rest"));
    const by = workflowOf("cancels-one", (ctx) => ctx.cancelRun("cancel", target, { reason: "Sold out" }));
    const { run, steps } = await engine.runToEnd(by);
    expect(run).toMatchObject({ status: "completed", output: { cancelled: true, status: "cancelled" } });
    expect(steps).toMatchObject([{ name: "cancel", kind: "cancel", status: "completed", reference: target }]);
    expect(await engine.historyOf(target)).toMatchObject({ run: { status: "cancelled" } });
    expect(await auditOf(target)).toMatchObject([
      {
        actor: `run ${run.id}`,
        actor_kind: "system",
        act: "cancel",
        reason: "Sold out",
        after: { status: "cancelled" },
      },
    ]);
  });

  it("says nothing in the audit log that the run which did it masks", async () => {
    const target = await asleep(sleeperOf("cancel-without-secrets"));
    const input = z.object({ card: z.string() });
    const by = defineWorkflow({ name: "cancels-with-a-card", input, masked: ["card"] }, (ctx, { card }) =>
      ctx.cancelRun("cancel", target, { reason: `Card ${card} was stolen` }),
    );
    await engine.runToEnd(by, { card: "4242-4242-4242" });
    expect(await auditOf(target)).toMatchObject([{ reason: "Card ••• was stolen" }]);
  });

  it("asks a run that a worker holds, which ends once its body has", async () => {
    const inBody = gate();
    const held = workflowOf("cancel-held", async (ctx) => {
      await ctx.step("body", async ({ signal }) => {
        inBody.open();
        await new Promise((end) => signal.addEventListener("abort", end));
      });
      await ctx.step("never", () => 1);
    });
    const target = await engine.start(held);
    await engine.worker([held]);
    await inBody.opened;
    const { run } = await engine.runToEnd(workflowOf("cancels-held", (ctx) => ctx.cancelRun("cancel", target)));
    expect(run.output).toEqual({ cancelled: true, status: "running" });
    const ended = await engine.untilEnded(target);
    expect(ended.run.status).toBe("cancelled");
    expect(ended.steps.map(({ name }) => name)).toEqual(["body"]);
  });

  it("cancels the children that end with it, and wakes the parent of a child", async () => {
    const child = sleeperOf("cancel-tree-child");
    const family = workflowOf("cancel-tree", (ctx) => ctx.child("child", child, {}));
    const target = await engine.start(family);
    await engine.worker([family, child]);
    const [{ id } = { id: "" }] = await engine
      .untilRun(target, ({ run }) => run.waiting_kind === "child")
      .then(() => engine.rows<{ id: string }>("select id::text from handrail.run where parent_run_id = $1", [target]));
    await engine.untilRun(id, ({ run }) => run.status === "waiting");
    await engine.runToEnd(workflowOf("cancels-tree", (ctx) => ctx.cancelRun("cancel", target)));
    expect((await engine.historyOf(id)).run.status).toBe("cancelled");
    expect(await auditOf(id)).toMatchObject([{ act: "cancel", after: { withParent: true } }]);

    const other = await engine.start(family);
    const [{ id: alone } = { id: "" }] = await engine
      .untilRun(other, ({ run }) => run.waiting_kind === "child")
      .then(() => engine.rows<{ id: string }>("select id::text from handrail.run where parent_run_id = $1", [other]));
    await engine.runToEnd(workflowOf("cancels-child", (ctx) => ctx.cancelRun("cancel", alone)));
    expect((await engine.untilEnded(other)).run.error).toMatchObject({ code: "child_failed" });
  });

  it("changes nothing of a run that has ended", async () => {
    const done = await engine.runToEnd(workflowOf("cancel-ended", async () => 1));
    const by = workflowOf("cancels-ended", (ctx) => ctx.cancelRun("cancel", done.run.id));
    expect((await engine.runToEnd(by)).run.output).toEqual({ cancelled: false, status: "completed" });
    expect(await auditOf(done.run.id)).toEqual([]);
  });

  it("refuses an unknown run, the run itself, what is no id, and a reason that is none", async () => {
    const refused = async (name: string, code: (ctx: Context) => Promise<unknown>) =>
      (await engine.runToEnd(workflowOf(name, code))).run.error;
    expect(await refused("cancels-nobody", (ctx) => ctx.cancelRun("cancel", NOBODY))).toMatchObject({
      code: "unknown_run",
      message: `There is no run ${NOBODY}.`,
    });
    expect(await refused("cancels-itself", (ctx) => ctx.cancelRun("cancel", ctx.run.id.toUpperCase()))).toMatchObject({
      code: "not_allowed",
      message: "A run cannot cancel itself: throw an error, or return, to end it.",
    });
    expect(await refused("cancels-text", (ctx) => ctx.cancelRun("cancel", "order-7"))).toMatchObject({
      code: "invalid_request",
      message: '"order-7" is not the id of a run.',
    });
    expect(await refused("no-reason", (ctx) => ctx.cancelRun("cancel", NOBODY, { reason: "" }))).toMatchObject({
      code: "invalid_request",
    });
  });

  it("two runs that cancel each other both get an end", async () => {
    const ids: string[] = [];
    const each = defineWorkflow({ name: "cancel-each-other", input: z.object({ n: z.number() }) }, (ctx, { n }) =>
      ctx.cancelRun("cancel", ids[1 - n] as string),
    );
    ids.push(await engine.start(each, { n: 0 }), await engine.start(each, { n: 1 }));
    await engine.worker([each]);
    const ended = await Promise.all(ids.map((id) => engine.untilEnded(id)));
    expect(ended.some(({ run }) => run.status === "cancelled")).toBe(true);
  });
});

describe("ctx.sendEvent", () => {
  const shipped = defineEvent({ name: "parcel.shipped", payload: z.object({ parcel: z.string() }) });

  it("wakes another run, whose event names the run that sent it", async () => {
    const waits = workflowOf("waits-for-run", (ctx) => ctx.waitForEvent("wait", { event: shipped }));
    const target = await engine.start(waits);
    await engine.worker([waits]);
    await engine.untilRun(target, ({ run }) => run.status === "waiting");
    const by = workflowOf("sends-to-run", (ctx) => ctx.sendEvent("send", shipped, { parcel: "7" }, { runId: target }));
    const { run, steps } = await engine.runToEnd(by);
    expect(run.output).toEqual({ id: `${run.id}:send:1`, created: true });
    expect(steps).toMatchObject([{ name: "send", kind: "send", status: "completed" }]);
    expect((await engine.untilEnded(target)).run.output).toEqual({ parcel: "7" });
    expect(await engine.rows("select sent_by from handrail.event where run_id = $1", [target])).toEqual([
      { sent_by: `run ${run.id}` },
    ]);
  });

  it("reaches a business key, and the workflows that begin with the event", async () => {
    const waits = workflowOf("waits-for-key", (ctx) => ctx.waitForEvent("wait", { event: "left", key: "parcel-9" }));
    const begins = defineWorkflow(
      { name: "begins-with-event", input: z.object({ n: z.number() }), on: "left" },
      async (_, { n }) => n,
    );
    const target = await engine.start(waits);
    await engine.worker([waits, begins]);
    await engine.runToEnd(
      workflowOf("sends-to-key", (ctx) => ctx.sendEvent("send", "left", { n: 9 }, { key: "parcel-9" })),
    );
    expect((await engine.untilEnded(target)).run.output).toEqual({ n: 9 });
    const [begun] = await engine.rows<{ id: string }>("select id::text from handrail.run where workflow = $1", [
      begins.name,
    ]);
    expect((await engine.untilEnded(begun?.id as string)).run.output).toBe(9);
  });

  it("a rerun that keeps its keys sends nothing again; one with fresh keys does", async () => {
    let fails = true;
    const by = workflowOf("sends-again", async (ctx) => {
      await // An app's id that was not there.
      await ctx.sendEvent("send", "sent-again", {}, { key: "again", ...({ id: undefined } as object) });
      await ctx.step(
        "fail",
        () => {
          if (fails) throw new Error("not yet");
        },
        { retry: { maxAttempts: 1 } },
      );
    });
    const { run } = await engine.runToEnd(by);
    const sent = () => engine.rows("select id from handrail.event where name = 'sent-again' order by seq");
    expect(await sent()).toHaveLength(1);
    fails = false;
    const desk = aDesk(engine.db);
    await rerun(desk, { runId: run.id, reason: "again", fromStep: "send" });
    await engine.untilRun(run.id, ({ run: now }) => now.status === "completed");
    expect(await sent()).toHaveLength(1);
    await rerun(desk, { runId: run.id, reason: "again", fromStep: "send", freshKeys: true });
    await engine.untilRun(run.id, ({ run: now }) => now.status === "completed");
    expect(await sent()).toEqual([{ id: `${run.id}:send:1` }, { id: `${run.id}:send:3` }]);
  });

  it("refuses a payload that does not fit, an unknown run, an ended one, and the run itself", async () => {
    const refused = async (name: string, code: (ctx: Context) => Promise<unknown>) =>
      (await engine.runToEnd(workflowOf(name, code))).run.error;
    const bad = { parcel: 7 } as unknown as { parcel: string };
    expect(await refused("sends-bad", (ctx) => ctx.sendEvent("send", shipped, bad))).toMatchObject({
      code: "invalid_input",
    });
    expect(await refused("sends-to-nobody", (ctx) => ctx.sendEvent("send", "x", 1, { runId: NOBODY }))).toMatchObject({
      code: "unknown_run",
    });
    expect(await refused("sends-to-self", (ctx) => ctx.sendEvent("send", "x", 1, { runId: ctx.run.id }))).toMatchObject(
      {
        code: "not_allowed",
        message: "A run cannot send an event to itself.",
      },
    );
    const done = await engine.runToEnd(workflowOf("takes-no-event", async () => 1));
    expect(
      await refused("sends-too-late", (ctx) => ctx.sendEvent("send", "x", 1, { runId: done.run.id })),
    ).toMatchObject({
      code: "not_allowed",
      message: "The run no longer accepts events: it is completed.",
    });
  });
});
