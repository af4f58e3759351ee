import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { clientDb } from "../../store/db";
import { claimBegun, claimRuns } from "../../store/workers/claim-runs";
import { registerWorker, registerWorkflows } from "../../store/workers/workers";
import { aDesk } from "../../testing/desk";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../../worker/fault-points";
import { claimFromQueues } from "../../worker/queues/claim-from-queues";
import { readRun, readRuns } from "../runs/reads";
import { closeIntake, openIntake } from "./intake";

const engine = anEngine();
const input = z.object({});
const desk = () => aDesk(engine.db);
const reason = "the provider is being moved";
const close = (workflow: string, holds?: "new" | "all") => closeIntake(desk(), { workflow, holds, reason });
const open = (workflow: string) => openIntake(desk(), { workflow, reason: "it is back" });

/** A step before and a step after a body that is held until `held` opens. */
function aHeldWorkflow(name: string, options: { concurrency?: { limit: number } } = {}) {
  const begun = gate();
  const held = gate();
  const ran: string[] = [];
  const workflow = defineWorkflow({ name, input, ...options }, async (ctx) => {
    await ctx.step("first", async () => {
      ran.push("first");
      begun.open();
      await held.opened;
    });
    await ctx.sleep("nap", 10);
    await ctx.step("second", () => void ran.push("second"));
  });
  return { begun, held, ran, workflow };
}

const aQuickWorkflow = (name: string) => defineWorkflow({ name, input }, (ctx) => ctx.step("only", () => "done"));
const statusOf = async (runId: string) => (await engine.historyOf(runId)).run.status;
/** As long as a worker with work to do would need to do it. */
const aWhile = () => engine.rows("select pg_sleep(0.4)");

describe("a closed intake", () => {
  it("keeps what has not begun, and lets what has begun go on to its end", async () => {
    const { begun, held, ran, workflow } = aHeldWorkflow("closed-new");
    const first = await engine.start(workflow);
    await engine.worker([workflow]);
    await begun.opened;
    expect(await close(workflow.name)).toMatchObject({
      intake: { holds: "new", closedBy: "operator", reason, closedAt: expect.any(String) },
    });
    const second = await engine.start(workflow);
    held.open();
    expect((await engine.untilEnded(first)).run.status).toBe("completed");
    await aWhile();
    expect(await readRun(engine.db, second)).toMatchObject({
      status: "pending",
      startedAt: null,
      heldBy: { holds: "new", closedBy: "operator", reason },
      summary: "Held: an operator paused new runs of its workflow.",
    });
    expect((await readRuns(engine.db, { workflow: [workflow.name] })).runs.map(({ heldBy }) => heldBy?.holds)).toEqual([
      "new",
      undefined,
    ]);
    await open(workflow.name);
    expect((await engine.untilEnded(second)).run.status).toBe("completed");
    expect(ran).toEqual(["first", "second", "first", "second"]);
  });

  it("that holds all brings what has begun to rest at its next step, without spending an attempt, and opened lets it go on", async () => {
    const { begun, held, ran, workflow } = aHeldWorkflow("closed-all");
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await begun.opened;
    await close(workflow.name, "all");
    await aWhile();
    held.open();
    const { run, steps, attempts } = await engine.untilRun(runId, (history) => history.run.worker_id === null);
    expect(run).toMatchObject({ status: "pending", lost_claims: 0 });
    expect(steps).toMatchObject([{ name: "first", status: "completed", attempt: 1 }]);
    expect(attempts).toEqual([]);
    await aWhile();
    expect(await readRun(engine.db, runId)).toMatchObject({ status: "pending", heldBy: { holds: "all" } });
    expect(ran).toEqual(["first"]);
    await open(workflow.name);
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
    expect(ran).toEqual(["first", "second"]);
  });

  it("that holds all reaches a worker without room, with its next heartbeat", async () => {
    const { begun, held, workflow } = aHeldWorkflow("closed-no-room");
    const runId = await engine.start(workflow);
    await engine.worker([workflow], { concurrency: 1, leaseMs: 4_000 });
    await begun.opened;
    await close(workflow.name, "all");
    await engine.rows("select pg_sleep(1.3)");
    held.open();
    await engine.untilRun(runId, ({ run }) => run.worker_id === null);
    expect((await engine.historyOf(runId)).steps.map(({ name }) => name)).toEqual(["first"]);
    await open(workflow.name);
  });

  it("that held all and now holds the new lets what has begun go on", async () => {
    const { begun, held, workflow } = aHeldWorkflow("closed-less");
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await begun.opened;
    await close(workflow.name, "all");
    await aWhile();
    held.open();
    await engine.untilRun(runId, ({ run }) => run.worker_id === null);
    const second = await engine.start(workflow);
    await close(workflow.name, "new");
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
    expect(await statusOf(second)).toBe("pending");
    await open(workflow.name);
    await engine.untilEnded(second);
  });

  it("holds a delayed start when its time comes, and does not let it block the timers of others", async () => {
    const workflow = defineWorkflow({ name: "closed-delayed", input }, async (ctx) => {
      await ctx.sleep("nap", 500);
    });
    const asleep = await engine.start(workflow);
    await engine.worker([workflow]);
    await engine.untilRun(asleep, ({ run }) => run.status === "waiting");
    await close(workflow.name);
    const delayed = await engine.start(workflow, {}, { delayMs: 50 });
    expect((await engine.untilEnded(asleep)).run.status).toBe("completed");
    const { run } = await engine.untilRun(delayed, (history) => history.run.due_at === null);
    expect(run).toMatchObject({ status: "pending", started_at: null });
    await open(workflow.name);
    expect((await engine.untilEnded(delayed)).run.status).toBe("completed");
  });

  it("leaves other workflows of the same worker alone", async () => {
    const [closed, other] = [aQuickWorkflow("closed-one"), aQuickWorkflow("closed-not")];
    await registerWorkflows(engine.db, [closed]);
    await close(closed.name, "all");
    const held = await engine.start(closed);
    await engine.worker([closed, other]);
    expect((await engine.untilEnded(await engine.start(other))).run.status).toBe("completed");
    expect(await statusOf(held)).toBe("pending");
    await open(closed.name);
    await engine.untilEnded(held);
  });

  it("opened lets runs go by priority and age, and no more at once than there is room for", async () => {
    const order: string[] = [];
    let inside = 0;
    let most = 0;
    const workflow = defineWorkflow({ name: "closed-order", input: z.object({ n: z.string() }) }, (ctx, { n }) =>
      ctx.step("only", async () => {
        order.push(n);
        most = Math.max(most, ++inside);
        await new Promise((resume) => setTimeout(resume, 3));
        inside--;
      }),
    );
    await registerWorkflows(engine.db, [workflow]);
    await close(workflow.name);
    await engine.worker([workflow], { concurrency: 1 });
    const ids: string[] = [];
    for (const n of ["a", "b", "c"]) ids.push(await engine.start(workflow, { n }));
    ids.push(await engine.start(workflow, { n: "urgent" }, { priority: 5 }));
    await aWhile();
    expect(order).toEqual([]);
    await open(workflow.name);
    for (const id of ids) await engine.untilEnded(id);
    expect(order).toEqual(["urgent", "a", "b", "c"]);
    expect(most).toBe(1);
  });

  it("of a workflow with limits holds its queues, and what has begun keeps its turn", async () => {
    const { begun, held, workflow } = aHeldWorkflow("closed-queue", { concurrency: { limit: 1 } });
    const first = await engine.start(workflow);
    await engine.worker([workflow]);
    await begun.opened;
    const second = await engine.start(workflow);
    await close(workflow.name);
    held.open();
    expect((await engine.untilEnded(first)).run.status).toBe("completed");
    await until("A closed queue", async () => {
      const [lane] = await engine.rows<{ ready: boolean }>(
        "select ready from handrail.queue_lane where workflow = $1",
        [workflow.name],
      );
      return lane?.ready === false;
    });
    expect(await readRun(engine.db, second)).toMatchObject({ status: "pending", heldBy: { holds: "new" } });
    await close(workflow.name, "all");
    await aWhile();
    expect(await statusOf(second)).toBe("pending");
    await open(workflow.name);
    expect((await engine.untilEnded(second)).run.status).toBe("completed");
  });
});

describe("closing and opening", () => {
  it("are refused twice, and for an unknown workflow", async () => {
    const workflow = aQuickWorkflow("closed-twice");
    await registerWorkflows(engine.db, [workflow]);
    await expect(open(workflow.name)).rejects.toMatchObject({ code: "not_allowed", message: /are not paused/ });
    const both = await Promise.allSettled([close(workflow.name), close(workflow.name)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(close(workflow.name)).rejects.toMatchObject({
      code: "not_allowed",
      message: /already paused new runs/,
    });
    const opened = await Promise.allSettled([open(workflow.name), open(workflow.name)]);
    expect(opened.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(close("nobody")).rejects.toMatchObject({ code: "unknown_workflow" });
    const audit = await engine.rows(
      "select act, reason, before, after from handrail.audit where workflow = $1 and result = 'done' order by id",
      [workflow.name],
    );
    expect(audit).toEqual([
      { act: "close_intake", reason, before: { holds: null }, after: { holds: "new" } },
      { act: "open_intake", reason: "it is back", before: { holds: "new" }, after: { holds: null } },
    ]);
  });

  it("sent twice under one key are one action", async () => {
    const workflow = aQuickWorkflow("closed-once");
    await registerWorkflows(engine.db, [workflow]);
    const send = () =>
      closeIntake(aDesk(engine.db, { requestKey: "close-once" }), { workflow: workflow.name, holds: "new", reason });
    const [one, two] = [await send(), await send()];
    expect(two).toEqual(one);
    await open(workflow.name);
  });
});

describe("a claim at the same instant", () => {
  it("that is under way comes first, and the closing waits for it; the next one takes nothing", async () => {
    const workflow = aQuickWorkflow("closed-race");
    await registerWorkflows(engine.db, [workflow]);
    await engine.start(workflow);
    await engine.start(workflow);
    const [first, workerId] = [await aRegisteredWorker(engine.db), await aRegisteredWorker(engine.db)];
    const client = await engine.database.pool.connect();
    await client.query("begin");
    const { runs } = await claimRuns(clientDb(client), workerId, [workflow], 1);
    expect(runs).toHaveLength(1);
    let answered = false;
    const closing = close(workflow.name).then(() => {
      answered = true;
    });
    await aWhile();
    expect(answered).toBe(false);
    // It waits for the closing, although its statement began before that was committed.
    const late = claimRuns(engine.db, first, [workflow], 1);
    await client.query("commit");
    client.release();
    await closing;
    expect((await late).runs.length + (await claimRuns(engine.db, workerId, [workflow], 5)).runs.length).toBe(0);
    await engine.endLeases();
  });

  it("never begins a run after the answer, however many claim and whatever is closed and opened", async () => {
    const plain = aQuickWorkflow("closed-storm");
    const queued = defineWorkflow({ name: "closed-storm-queued", input, concurrency: { limit: 50 } }, (ctx) =>
      ctx.step("only", () => "done"),
    );
    const workflows = [plain, queued];
    await registerWorkflows(engine.db, workflows);
    const workers = await Promise.all([1, 2, 3].map(() => aRegisteredWorker(engine.db)));
    for (let round = 0; round < 6; round++) {
      for (const workflow of workflows) for (let n = 0; n < 6; n++) await engine.start(workflow);
      const claims = workers.flatMap((worker) => [
        ...[1, 2, 3].map(() => claimRuns(engine.db, worker, workflows, 1)),
        claimBegun(engine.db, worker, workflows, 1),
        claimFromQueues(engine.db, worker, workflows, 1),
      ]);
      const closings = workflows.map(({ name }) => close(name));
      await Promise.all([...claims, ...closings]);
      for (const worker of workers) {
        expect((await claimRuns(engine.db, worker, workflows, 5)).runs).toEqual([]);
        expect((await claimFromQueues(engine.db, worker, workflows, 5)).runs).toEqual([]);
      }
      const begunLater = await engine.rows(
        `select run.id from handrail.run join handrail.closed_intake as closed using (workflow) where started_at > closed_at`,
      );
      expect(begunLater).toEqual([]);
      for (const { name } of workflows) await open(name);
    }
    await engine.endLeases();
  });

  it("of a worker that registers itself meanwhile knows of the closing", async () => {
    const workflow = aQuickWorkflow("closed-registering");
    await registerWorkflows(engine.db, [workflow]);
    await engine.start(workflow);
    const [, ...ids] = await Promise.all([
      close(workflow.name),
      ...Array.from({ length: 8 }, () =>
        registerWorker(engine.db, { name: "new", workflows: [workflow.name], concurrency: 1, leaseMs: 60_000 }),
      ),
    ]);
    for (const id of ids) expect((await claimRuns(engine.db, id as number, [workflow], 1)).runs).toEqual([]);
    await open(workflow.name);
    await engine.endLeases();
  });

  it("whose worker is frozen within it makes the closing give up, and nothing is written", async () => {
    const workflow = aQuickWorkflow("closed-frozen");
    await registerWorkflows(engine.db, [workflow]);
    const workerId = await aRegisteredWorker(engine.db);
    const client = await engine.database.pool.connect();
    await client.query("begin");
    await client.query("select from handrail.worker where id = $1 for key share", [workerId]);
    await expect(close(workflow.name)).rejects.toMatchObject({ code: "57014" });
    await client.query("rollback");
    client.release();
    await expect(open(workflow.name)).rejects.toMatchObject({ code: "not_allowed" });
    await engine.endLeases();
  });

  it("and the death of a worker between two claims leaves nothing behind", async () => {
    const workflow = aQuickWorkflow("closed-dying");
    await engine.start(workflow);
    const dying = gate();
    const buried = gate();
    setFaultHandler((point) => {
      if (point !== "claim:after") return;
      dying.open();
      return buried.opened;
    });
    const worker = await engine.worker([workflow]);
    await dying.opened;
    await close(workflow.name, "all");
    worker.worker.lose();
    setFaultHandler(undefined);
    buried.open();
    await engine.endLeases();
    await engine.worker([workflow]);
    await aWhile();
    await open(workflow.name);
    await until(
      "Its end",
      async () =>
        (await engine.rows("select 1 from handrail.run where workflow = $1 and status = 'completed'", [workflow.name]))
          .length === 1,
    );
  });
});
