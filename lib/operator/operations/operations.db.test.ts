import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { PlannedAct } from "../../actions/actions";
import { OPERATION_WORKFLOW } from "../../engine/operations/operation";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { compensate, rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import type { Desk } from "../desk";
import { readRun } from "../runs/reads";
import { carryOutNext } from "./carry-out-item";
import { type Execution, executePlan } from "./execute-plan";
import { makePlan } from "./make-plan";
import { abortOperation, changeOperationRate, pauseOperation, resumeOperation } from "./operate";
import { readOperation, readOperationItems } from "./operation-view";
import { operationWorkflow } from "./operation-workflow";
import { readItemsOfPlan, readPlan } from "./plan-view";

const engine = anEngine();
// Rows inserted by hand claim four attempts without having them.
afterEach(() =>
  engine.rows(
    "insert into handrail.attempt (run_id, step, generation, number, status, error, started_at, finished_at) select run_id, name, generation, n, 'failed', error, started_at, started_at from handrail.step, generate_series(1, 3) n where attempt = 4 on conflict do nothing",
  ),
);
const reason = "the gateway is back";
const fast = { ratePerSecond: 1_000, canary: 0 };
const anyOrder = defineWorkflow({ name: "order-fulfilment", input: z.unknown() }, async () => undefined);
const code = codeHere([anyOrder]);
const operationDesk = () => ({ ...desk(), code });
const desk = (requestKey?: string) => aDesk(engine.db, requestKey === undefined ? {} : { requestKey });

async function aPlan(act: PlannedAct, runIds: string[]) {
  const { id, hash } = await makePlan(desk(), act, { runIds });
  return { planId: id, hash, reason };
}

const withOperations = (...workflows: Workflow[]) => engine.worker([...workflows, operationWorkflow(operationDesk())]);

/** For a plan that touches more than one run. */
async function execute(by: Desk, given: Execution) {
  const { status, body } = await executePlan(by, code, given);
  const { runId } = body;
  if (status !== 202 || runId === null) throw new Error("This one was carried out at once.");
  return { ...body, runId };
}

const untilStatus = (operationId: string, status: string) =>
  until(`the operation's ${status}`, async () => {
    const operation = await readOperation(engine.db, operationId);
    return operation.status === status && operation;
  });

const rerunAll: PlannedAct = { act: "rerun", params: {} };

describe("an execution does what its plan said", () => {
  const states = [
    () => aRun(engine.db).failedAt("charge-payment"),
    () => aRun(engine.db).failedBetweenSteps(),
    () => aRun(engine.db).waitingUnknown("charge-payment", { canAsk: true }),
    () => aRun(engine.db).asleepAfter("charge-payment"),
    () => aRun(engine.db).completed(),
    () => aRun(engine.db).paused(),
    () => aRun(engine.db).pending(),
    () => aRun(engine.db).compensating(),
  ];
  const acts: PlannedAct[] = [
    rerunAll,
    { act: "rerun", params: { fromStep: "create-order" } },
    { act: "rerun", params: { freshKeys: true } },
    { act: "cancel", params: {} },
    { act: "pause", params: {} },
    { act: "resume", params: {} },
    { act: "rerun", params: { fromStep: "charge-payment", scope: "branch" } },
    { act: "settle", params: { outcome: "ask" } },
    { act: "settle", params: { outcome: "happened", output: { id: "ch_9" }, reference: "ch_9" } },
    { act: "settle", params: { outcome: "did_not_happen" } },
    { act: "settle", params: { outcome: "skip", step: "charge-payment" } },
    { act: "compensate", params: {} },
    { act: "mark_compensated", params: { outcome: "waived", step: "send-confirmation" } },
    { act: "send_event", params: { name: "parcel.seen", payload: { at: "Berlin" } } },
    { act: "start_again", params: {} },
  ];

  it.each(acts)("%j", async (act) => {
    const runIds: string[] = [];
    for (let round = 0; round < 3; round++) for (const state of states) runIds.push(await state());
    const plan = await aPlan(act, runIds);
    const { items } = await readItemsOfPlan(engine.db, plan.planId, { limit: 200 });
    const { id } = await execute(desk(), { ...plan, ...fast });
    await withOperations();
    const { counts } = await untilStatus(id, "completed");
    expect(items.some((item) => item.included)).toBe(true);
    const included = items.filter((item) => item.included);
    expect(counts).toMatchObject({ total: included.length, done: included.length, failed: 0, changed: 0 });
    for (const item of items) {
      const { run, steps } = await engine.historyOf(item.runId);
      // An event for a later waiter changes nothing yet.
      if (act.act !== "send_event")
        expect(run.revision > item.revision, `${item.runId} was touched`).toBe(item.included);
      if (!item.included) continue;
      const audit = await engine.rows(
        "select 1 from handrail.audit where run_id = $1 and plan_id = $2 and act = $3 and result = 'done'",
        [item.runId, plan.planId, act.act],
      );
      expect(audit).toHaveLength(1);
      if (act.act === "start_again") expect((await readRun(engine.db, item.runId)).startedAs).toHaveLength(1);
      if (act.act !== "rerun" && act.act !== "cancel") continue;
      const aside = steps.filter((step) => step.superseded_by !== null).map(({ name }) => name);
      expect(aside.sort()).toEqual([...item.again.first].sort());
      if (act.act === "cancel") expect(run.status).toBe("cancelled");
      if (act.act === "rerun") expect([run.status, run.generation]).toEqual(["pending", item.generation + 1]);
    }
  });

  it("unless a run has changed since: it is left alone then, and the operation says why", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) ids.push(await aRun(engine.db).failedAt("charge-payment"));
    const [moved, elsewhere, gone, left] = ids as [string, string, string, string];
    const plan = await aPlan(rerunAll, ids);
    await engine.rows("update handrail.run set revision = revision + 1, failed_step = null where id = $1", [moved]);
    await rerun(desk(), { runId: elsewhere, reason });
    await compensate(desk(), { runId: gone, reason });
    const { id } = await execute(desk(), { ...plan, ...fast });
    await withOperations();
    const { counts } = await untilStatus(id, "completed");
    expect(counts).toEqual({ total: 4, done: 1, already: 1, notEligible: 1, changed: 1, failed: 0 });
    const { items } = await readOperationItems(engine.db, id, { list: "others" });
    const outcomes = Object.fromEntries(items.map(({ runId, outcome, because }) => [runId, [outcome, because]]));
    expect(outcomes).toEqual({
      [moved]: ["changed", expect.stringContaining("has changed")],
      [elsewhere]: ["already", expect.stringContaining("Already done")],
      [gone]: ["not_eligible", expect.stringContaining("being compensated")],
    });
    expect((await engine.historyOf(left)).run.status).toBe("pending");
  });
});

describe("a cancel of a parent and its children", () => {
  it.each(["stop", "compensate"] as const)("cancels all of them (onFailure: %s)", async (onFailure) => {
    const child = defineWorkflow({ name: `child-${onFailure}`, input: z.unknown() }, (ctx) =>
      ctx.waitForEvent("go", { event: "go.on" }),
    );
    const parent = defineWorkflow({ name: `parent-${onFailure}`, input: z.unknown(), onFailure }, async (ctx) => {
      await ctx.step("charge", () => "ch_1", { compensate: () => undefined });
      await Promise.all([1, 2].map((n) => ctx.child(`child-${n}`, child, {})));
    });
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    const children = await until("the wait of both children", async () => {
      const text =
        "select id::text from handrail.run where parent_run_id = $1 and waiting_kind = 'event' order by run.id";
      const rows = await engine.rows<{ id: string }>(text, [runId]);
      return rows.length === 2 && rows.map(({ id }) => id);
    });
    await engine.untilResting(runId);
    const cancelAll: PlannedAct = { act: "cancel", params: {} };
    const { items } = await makePlan(desk(), cancelAll, { filter: { workflow: [parent.name, child.name] } });
    expect(items.map((item) => item.runId)).toEqual([runId, ...children]);
    const { id } = await execute(desk(), { ...(await aPlan(cancelAll, [...children, runId])), ...fast });
    await carryOutNext(operationDesk(), id);
    // A parent whose child was cancelled without it goes on by now, and fails.
    const { run, compensations } = await engine.untilEnded(runId);
    expect([run.status, compensations]).toEqual(["cancelled", []]);
    while ((await carryOutNext(operationDesk(), id)).next === "item");
    expect((await readOperation(engine.db, id)).counts).toMatchObject({ total: 3, done: 1, already: 2 });
    for (const one of children) expect((await engine.historyOf(one)).run.status).toBe("cancelled");
  });
});

describe("a plan is carried out once", () => {
  it("by one of two executions at once; the same request gets the same operation", async () => {
    const ids = [await aRun(engine.db).failedAt("charge-payment"), await aRun(engine.db).failedAt("charge-payment")];
    const plan = await aPlan(rerunAll, ids);
    const both = await Promise.allSettled([execute(desk("a"), plan), execute(desk("b"), plan)]);
    const [won] = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const [lost] = both.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(lost).toMatchObject({ code: "plan_changed", details: { operationId: won?.id } });
    const key = both[0]?.status === "fulfilled" ? "a" : "b";
    expect(await execute(desk(key), plan)).toEqual(won);
    expect((await readPlan(engine.db, plan.planId)).executedAt).not.toBeNull();
    await abortOperation(desk(), { operationId: won?.id as string, reason });
  });

  it("not by another hash, after its time, or when it leaves every run out", async () => {
    const plan = await aPlan(rerunAll, [await aRun(engine.db).failedAt("charge-payment")]);
    await expect(executePlan(desk(), code, { ...plan, hash: "0".repeat(64) })).rejects.toMatchObject({
      code: "plan_changed",
    });
    await engine.rows("update handrail.plan set expires_at = clock_timestamp() where id = $1", [plan.planId]);
    await expect(executePlan(desk(), code, plan)).rejects.toMatchObject({ code: "unknown_plan" });
    const nothing = await aPlan({ act: "cancel", params: {} }, [await aRun(engine.db).completed()]);
    await expect(executePlan(desk(), code, nothing)).rejects.toMatchObject({ code: "not_allowed" });
    expect(
      await engine.rows("select 1 from handrail.operation where plan_id = any ($1)", [[plan.planId, nothing.planId]]),
    ).toEqual([]);
  });
});

it("each item is done once, however many processes hold the operation for theirs", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 60; index++) ids.push(await aRun(engine.db).failedAt("charge-payment"));
  const { id, runId } = await execute(desk(), { ...(await aPlan(rerunAll, ids)), ...fast });
  const drive = async () => {
    for (;;) if ((await carryOutNext(operationDesk(), id)).next === "end") return;
  };
  await Promise.all([drive(), drive(), drive(), drive()]);
  expect((await readOperation(engine.db, id)).counts.done).toBe(60);
  const generations = await engine.rows("select distinct generation from handrail.run where id = any ($1)", [ids]);
  expect(generations).toEqual([{ generation: 2 }]);
  await withOperations();
  await engine.untilEnded(runId);
});

describe("while it runs", () => {
  const slow = { ratePerSecond: 1, canary: 0 };

  it("an operator pauses it, makes it faster, resumes and aborts it; nothing begins after a pause or an end", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 12; index++) ids.push(await aRun(engine.db).failedAt("charge-payment"));
    const { id: operationId, runId } = await execute(desk(), { ...(await aPlan(rerunAll, ids)), ...slow });
    await withOperations();
    await until("a first item", async () => (await readOperation(engine.db, operationId)).counts.done > 0);
    const paused = await pauseOperation(desk(), { operationId, reason: "wait" });
    expect(paused).toMatchObject({ status: "paused", pausedBecause: "Paused by operator: wait" });
    await engine.untilRun(runId, ({ run }) => run.waiting_kind === "event", "the pause");
    expect((await readOperation(engine.db, operationId)).counts.done).toBe(paused.counts.done);
    await expect(pauseOperation(desk(), { operationId, reason })).rejects.toMatchObject({ code: "not_allowed" });
    expect(await changeOperationRate(desk(), { operationId, reason, ratePerSecond: 500 })).toMatchObject({
      ratePerSecond: 500,
    });
    await resumeOperation(desk(), { operationId, reason });
    await untilStatus(operationId, "completed");
    await expect(abortOperation(desk(), { operationId, reason })).rejects.toMatchObject({ code: "not_allowed" });
    await engine.untilEnded(runId);
  });

  it("an abort of a paused one ends its run, and leaves the rest as it is", async () => {
    const ids = [await aRun(engine.db).failedAt("charge-payment"), await aRun(engine.db).failedAt("charge-payment")];
    const { id: operationId, runId } = await execute(desk(), { ...(await aPlan(rerunAll, ids)), ...slow });
    await pauseOperation(desk(), { operationId, reason });
    await withOperations();
    await engine.untilRun(runId, ({ run }) => run.waiting_kind === "event", "the pause");
    expect(await abortOperation(desk(), { operationId, reason })).toMatchObject({
      status: "aborted",
      counts: { done: 0 },
    });
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
    expect((await engine.historyOf(ids[0] as string)).run.status).toBe("failed");
  });
});

describe("the first items", () => {
  async function thirtyFailed(name: string, heals: boolean) {
    let broken = true;
    const workflow = defineWorkflow(
      { name, input: z.object({ n: z.int() }), retry: { maxAttempts: 2, initialDelayMs: 300, jitter: 0 } },
      (ctx, { n }) =>
        ctx.step("charge", () => {
          if (broken) throw new Error("declined");
          return n;
        }),
    );
    const ids: string[] = [];
    for (let n = 0; n < 30; n++) ids.push(await engine.start(workflow, { n }));
    await withOperations(workflow);
    for (const id of ids) await engine.untilEnded(id);
    broken = !heals;
    const plan = await aPlan(rerunAll, ids);
    return execute(desk(), { ...plan, ratePerSecond: 10 });
  }

  it("that fail again stop the rest; a person looks and decides", async () => {
    const { id } = await thirtyFailed("fails-again", false);
    const paused = await untilStatus(id, "paused");
    expect(paused).toMatchObject({
      counts: { done: 5 },
      pausedBecause: expect.stringContaining("of the first 5 failed"),
    });
    await resumeOperation(desk(), { operationId: id, reason: "they may fail" });
    expect(await untilStatus(id, "paused")).toMatchObject({ pausedBecause: expect.stringContaining("of the latest") });
    await abortOperation(desk(), { operationId: id, reason });
    await engine.untilEnded(paused.runId as string);
  });

  it("that fail again stop the rest also after a pause and its Undo, which is no look at them", async () => {
    const workflow = defineWorkflow({ name: "undone", input: z.unknown(), retry: { maxAttempts: 1 } }, (ctx) =>
      ctx.step("charge", () => {
        throw new Error("declined");
      }),
    );
    const ids = [await engine.start(workflow), await engine.start(workflow), await engine.start(workflow)];
    await engine.worker([workflow]);
    for (const id of ids) await engine.untilEnded(id);
    const { id } = await execute(desk(), { ...(await aPlan(rerunAll, ids)), ratePerSecond: 1_000, canary: 2 });
    for (let item = 0; item < 2; item++) await carryOutNext(operationDesk(), id);
    await until("the canary's second failure", async () => {
      const text = "select 1 from handrail.run where id = any ($1) and generation = 2 and status = 'failed'";
      return (await engine.rows(text, [ids])).length === 2;
    });
    await pauseOperation(desk(), { operationId: id, reason });
    const undone = await resumeOperation(desk(), { operationId: id, reason, undo: true });
    expect(undone).toMatchObject({ status: "running", canaryPassedAt: null });
    expect(await carryOutNext(operationDesk(), id)).toEqual({ next: "resumption" });
    expect(await readOperation(engine.db, id)).toMatchObject({ status: "paused", counts: { done: 2 } });
    expect(await resumeOperation(desk(), { operationId: id, reason })).toMatchObject({
      canaryPassedAt: expect.any(String),
    });
    await abortOperation(desk(), { operationId: id, reason });
  });

  it("that come through let the rest follow", async () => {
    const { id, runId } = await thirtyFailed("comes-through", true);
    expect(await untilStatus(id, "completed")).toMatchObject({ counts: { done: 30 } });
    await engine.untilEnded(runId);
  });
});

it("an operation's run is not among the app's, unless it is asked for", async () => {
  const { readRuns } = await import("../runs/reads");
  const names = async (filter: { workflow?: string[] }) =>
    (await readRuns(engine.db, { ...filter, limit: 200 })).runs.map(({ workflow }) => workflow);
  expect(await names({})).not.toContain(OPERATION_WORKFLOW);
  expect(await names({ workflow: [OPERATION_WORKFLOW] })).toContain(OPERATION_WORKFLOW);
});
