import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { record } from "../../store/steps/record";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { cancel, pause, resume } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { aRecord, aStepRecord, claimOne } from "../../testing/rows/claims";
import { childrenOf } from "../../testing/rows/family";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});
const desk = () => aDesk(engine.db);
const reason = "the whole batch is wrong";

/** A root with two children, each with a grandchild that sleeps. */
function aTree(name: string) {
  const leaf = defineWorkflow({ name: `${name}-leaf`, input }, (ctx) => ctx.sleep("nap", "1h"));
  const branch = defineWorkflow({ name: `${name}-branch`, input }, (ctx) => ctx.child("leaf", leaf, {}));
  const root = defineWorkflow({ name: `${name}-root`, input }, (ctx) =>
    Promise.all([ctx.child("left", branch, {}), ctx.child("right", branch, {})]),
  );
  const workflows = [leaf, branch, root];
  const grown = async () => {
    const runId = await engine.start(root);
    await engine.worker(workflows);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    const branches = await until("The branches", async () => {
      const ids = await childrenOf(engine.database.pool, runId);
      return ids.length === 2 && ids;
    });
    const leaves: string[] = [];
    for (const id of branches) {
      await engine.untilRun(id, ({ run }) => run.status === "waiting");
      const [leafId] = await childrenOf(engine.database.pool, id);
      await engine.untilRun(leafId as string, ({ run }) => run.status === "waiting");
      leaves.push(leafId as string);
    }
    return { runId, branches, leaves, all: [runId, ...branches, ...leaves] };
  };
  return { grown };
}

const statuses = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await engine.historyOf(id)).run.status as string));
const eachIs = (status: string) => (all: string[]) => all.every((one) => one === status);
const untilAll = (ids: readonly string[], status: string) =>
  until(`All ${status}`, async () => eachIs(status)(await statuses(ids)));

describe("a pause with the children", () => {
  it("holds every level in one act, and the resume lets every level go", async () => {
    const { runId, all } = await aTree("cascade").grown();
    expect(await pause(desk(), { runId, children: true, reason })).toMatchObject({
      status: "paused",
      pauseRoot: runId,
    });
    expect(await statuses(all)).toEqual(all.map(() => "paused"));
    const audit = await engine.rows<{ run_id: string; reason: string }>(
      "select run_id::text, reason from handrail.audit where act = 'pause' and run_id = any ($1)",
      [all],
    );
    expect(audit).toHaveLength(5);
    expect(audit.filter(({ reason }) => reason.startsWith("Paused with its parent: "))).toHaveLength(4);
    await resume(desk(), { runId, reason: "it was right" });
    await untilAll(all, "waiting");
    const [left] = await engine.rows("select 1 from handrail.run where pause_root is not null");
    expect(left).toBeUndefined();
  });

  it("leaves alone what somebody has paused before, and goes on below it", async () => {
    const { runId, branches, leaves } = await aTree("apart").grown();
    const [left] = branches as [string];
    await pause(desk(), { runId: left, reason: "only this one" });
    await pause(desk(), { runId, children: true, reason });
    expect(await statuses([...branches, ...leaves])).toEqual(["paused", "paused", "paused", "paused"]);
    await resume(desk(), { runId, reason });
    await untilAll([...branches.slice(1), ...leaves], "waiting");
    expect(await statuses([left])).toEqual(["paused"]);
    await resume(desk(), { runId: left, reason });
  });

  it("is taken back for a part of the tree, and that part is not resumed twice", async () => {
    const { runId, branches, leaves } = await aTree("part").grown();
    await pause(desk(), { runId, children: true, reason });
    const [left, right] = branches as [string, string];
    await resume(desk(), { runId: left, reason });
    await untilAll([left, leaves[0] as string], "waiting");
    expect(await statuses([runId, right, leaves[1] as string])).toEqual(["paused", "paused", "paused"]);
    await pause(desk(), { runId: left, reason: "by itself" });
    await resume(desk(), { runId, reason });
    await untilAll([runId, right, ...leaves], "waiting");
    expect(await statuses([left])).toEqual(["paused"]);
    await resume(desk(), { runId: left, reason });
  });

  it("without the option holds the run alone", async () => {
    const { runId, branches } = await aTree("alone").grown();
    expect(await pause(desk(), { runId, reason })).toMatchObject({ status: "paused", pauseRoot: null });
    expect(await statuses(branches)).toEqual(["waiting", "waiting"]);
    await resume(desk(), { runId, reason });
  });

  it("that comes while a child is in its body lets it finish; a child that is started meanwhile is born held", async () => {
    const begun = gate();
    const held = gate();
    const inChild = gate();
    const childHeld = gate();
    const late = defineWorkflow({ name: "late-child", input }, (ctx) => ctx.step("only", () => "late"));
    const busy = defineWorkflow({ name: "busy-child", input }, async (ctx) => {
      await ctx.step("work", async () => {
        inChild.open();
        await childHeld.opened;
      });
      await ctx.step("after", () => "after");
    });
    const parent = defineWorkflow({ name: "busy-parent", input }, async (ctx) => {
      const first = ctx.child("busy", busy, {});
      const second = ctx.step("work", async () => {
        begun.open();
        await held.opened;
      });
      // The pause takes effect at the next await: only what is started together with a body has begun by then.
      await second;
      await ctx.child("late", late, {});
      await first;
    });
    const runId = await engine.start(parent);
    await engine.worker([parent, busy, late], { leaseMs: 60_000 });
    await Promise.all([begun.opened, inChild.opened]);
    await pause(desk(), { runId, children: true, reason });
    held.open();
    childHeld.open();
    const [child] = await childrenOf(engine.database.pool, runId);
    await untilAll([runId, child as string], "paused");
    const { steps } = await engine.historyOf(child as string);
    expect(steps).toMatchObject([{ name: "work", status: "completed" }]);
    await resume(desk(), { runId, reason });
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });

  it("of a parent that a worker has in hand makes the child that its next record starts be born held", async () => {
    const name = "born-held";
    const parentId = await engine.start(defineWorkflow({ name, input }, async () => "never run here"));
    const claim = await claimOne(engine.db, { name, version: 1, timeoutMs: undefined });
    await pause(desk(), { runId: parentId, children: true, reason });
    const childId = v7();
    const receipts = await record(engine.db, [
      aRecord(claim, {
        step: aStepRecord({ name: "child", kind: "child", status: "waiting", next: null, reference: childId }),
        child: {
          ...{
            id: childId,
            workflow: "born-child",
            version: 1,
            input: "{}",
            tags: {},
            runTitle: null,
            priority: 0,
            queueKey: null,
          },
          ...{ step: "child", keyGeneration: 1, endsWithParent: false, tellsParent: true },
        },
      }),
    ]);
    expect(receipts.get(parentId)?.asked).toBe("pause");
    const { run } = await engine.historyOf(childId);
    expect(run).toMatchObject({ status: "paused", pause_root: parentId });
    await resume(desk(), { runId: parentId, reason });
    expect(await statuses([childId])).toEqual(["pending"]);
    await cancel(desk(), { runId: childId, reason });
    await engine.endLeases();
  });

  it("whose worker dies before it has let go holds the run all the same", async () => {
    const name = "dies-holding";
    const runId = await engine.start(defineWorkflow({ name, input }, async () => "never run here"));
    await claimOne(engine.db, { name, version: 1, timeoutMs: undefined });
    await pause(desk(), { runId, children: true, reason });
    await engine.endLeases();
    await takeOverLostRuns(engine.db);
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "paused", pause_root: runId });
    await cancel(desk(), { runId, reason });
  });

  it("and a cancel of the same tree at once end in one of the two, without a deadlock", async () => {
    for (let round = 0; round < 4; round++) {
      const { runId, all } = await aTree(`race-${round}`).grown();
      await Promise.allSettled([
        pause(desk(), { runId, children: true, reason }),
        cancel(desk(), { runId, reason: "not wanted" }),
      ]);
      await untilAll(all, "cancelled");
    }
  });

  it("sent twice under one key is one act", async () => {
    const { runId, all } = await aTree("twice").grown();
    const send = () => pause(aDesk(engine.db, { requestKey: "pause-twice" }), { runId, children: true, reason });
    await Promise.all([send(), send()]);
    const rows = await engine.rows("select 1 from handrail.audit where act = 'pause' and run_id = any ($1)", [all]);
    expect(rows).toHaveLength(5);
    await resume(desk(), { runId, reason });
  });
});
