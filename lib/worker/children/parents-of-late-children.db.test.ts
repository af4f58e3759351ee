import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { cancel, pause, rerun, resume } from "../../testing/actions";
import { startProxy } from "../../testing/database/proxy";
import { aDesk } from "../../testing/desk";
import { anEngine } from "../../testing/workers/engine";
import { aTimedFamily, byItsTimeout, timedFamilies } from "../../testing/workflows/timed-children";
import { setFaultHandler } from "../fault-points";

const engine = anEngine();
const { childrenOf, childOf, auditOf, makeDue } = timedFamilies(engine);
const desk = () => aDesk(engine.db);
const reason = "because";
const timeout = "50ms";

describe("the parent", () => {
  it("whose worker was gone when the timeout was over cancels the child with its next one", async () => {
    const { parent, child } = aTimedFamily("parent-gone", { timeout });
    const runId = await engine.start(parent);
    const first = await engine.worker([parent, child]);
    await childOf(runId);
    await first.stop();
    await delay(60);
    await engine.worker([parent, child]);
    expect((await engine.untilEnded(runId)).run.error).toMatchObject({ code: "child_timed_out" });
    expect(await auditOf(await childOf(runId))).toEqual([byItsTimeout(runId, "50ms")]);
  });

  it("that is paused meanwhile cancels the child when it is resumed", async () => {
    const { parent, child } = aTimedFamily("parent-paused", { timeout: "1h" });
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    const id = await childOf(runId);
    await pause(desk(), { runId, reason });
    await makeDue(runId);
    await engine.untilRun(id, ({ run }) => run.status === "waiting");
    await resume(desk(), { runId, reason });
    expect((await engine.untilEnded(runId)).run.error).toMatchObject({ code: "child_timed_out" });
    expect(await auditOf(id)).toEqual([byItsTimeout(runId, "1h")]);
  });

  it("that is cancelled first leaves the child as that cancel does", async () => {
    const { parent, child } = aTimedFamily("parent-cancelled", { timeout: "1h", onCancel: "leave" });
    const runId = await engine.start(parent);
    const first = await engine.worker([parent, child]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    const id = await childOf(runId);
    await engine.untilRun(id, ({ run }) => run.status === "waiting");
    await first.stop();
    await makeDue(runId);
    // After the claim, which has not seen it.
    let claimed = false;
    setFaultHandler(async (point) => {
      if (point !== "claim:after" || claimed) return;
      claimed = true;
      await cancel(desk(), { runId, reason });
    });
    await engine.worker([parent]);
    expect((await engine.untilEnded(runId)).run.status).toBe("cancelled");
    expect((await engine.historyOf(id)).run.status).toBe("waiting");
    expect(await auditOf(id)).toEqual([]);
  });

  it("of a child that a person cancelled before the timeout was over fails as ever", async () => {
    const { parent, child } = aTimedFamily("by-a-person", { timeout: "1h" });
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await cancel(desk(), { runId: await childOf(runId), reason });
    expect((await engine.untilEnded(runId)).run.error).toMatchObject({ code: "child_failed" });
  });

  it("finds its own cancel when the answer to its commit was lost", async () => {
    const proxy = await startProxy(engine.database.url);
    try {
      const { parent, child } = aTimedFamily("lost-answer", { timeout: "1h" });
      const runId = await engine.start(parent);
      const first = await engine.worker([parent, child]);
      await engine.untilRun(runId, ({ run }) => run.status === "waiting");
      const id = await childOf(runId);
      await engine.untilRun(id, ({ run }) => run.status === "waiting");
      await first.stop();
      await engine.worker([parent], { url: proxy.url });
      const happened = proxy.loseAnswer("commit\0", "lock-children-to-cancel");
      await makeDue(runId);
      await happened;
      expect((await engine.untilEnded(runId)).run.error).toMatchObject({ code: "child_timed_out" });
      expect(await auditOf(id)).toEqual([byItsTimeout(runId, "1h")]);
    } finally {
      await proxy.close();
    }
  });
});

describe("a rerun of the parent", () => {
  it("with its keys fails alike while the child is cancelled, and takes the child's result once that has one", async () => {
    let slow = true;
    const { parent, child } = aTimedFamily("rerun-kept", { timeout }, (ctx) =>
      slow ? ctx.sleep("long", "1h") : ctx.step("quick", () => "done"),
    );
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    await engine.untilEnded(runId);
    const id = await childOf(runId);
    await rerun(desk(), { runId, reason });
    const again = await engine.untilRun(runId, ({ run }) => run.status === "failed" && run.generation === 2);
    expect(again.run.error).toMatchObject({ code: "child_timed_out" });
    expect(await auditOf(id)).toHaveLength(1);
    slow = false;
    await rerun(desk(), { runId: id, fromStep: "long", reason });
    await engine.untilRun(id, ({ run }) => run.status === "completed");
    await rerun(desk(), { runId, reason });
    expect(
      (await engine.untilRun(runId, ({ run }) => run.generation === 3 && run.finished_at !== null)).run,
    ).toMatchObject({
      status: "completed",
      output: "done",
    });
    expect(await childrenOf(runId)).toHaveLength(1);
  });

  it("with fresh keys starts another child, with its own due time", async () => {
    const { parent, child } = aTimedFamily("rerun-fresh", { timeout });
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    await engine.untilEnded(runId);
    await rerun(desk(), { runId, freshKeys: true, reason });
    await engine.untilRun(runId, ({ run }) => run.status === "failed" && run.generation === 2);
    const children = await childrenOf(runId);
    expect(children.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    for (const { id } of children) expect(await auditOf(id)).toEqual([byItsTimeout(runId, "50ms")]);
  });
});
