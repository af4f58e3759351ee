import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { lockRun } from "../../store/runs/lock-run";
import { pauseRun } from "../../store/runs/pause";
import { recordAlone } from "../../store/steps/record";
import { handBackUnknown } from "../../store/workers/hand-back";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { cancel, pause, resume, wake } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { claimOne } from "../../testing/rows/claims";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { type FaultPoint, setFaultHandler } from "../../worker/fault-points";

const engine = anEngine();
const input = z.object({});
const desk = () => aDesk(engine.db);
const reason = "the receiver is being moved";
const refused = { code: "not_allowed" };

const isPaused = ({ run }: { run: { status: string } }) => run.status === "paused";

/** Two steps; the first is held in its body until `held` opens. */
function aHeldWorkflow(name: string) {
  const begun = gate();
  const held = gate();
  const ran: string[] = [];
  const workflow = defineWorkflow({ name, input }, async (ctx) => {
    await ctx.step("first", async () => {
      ran.push("first");
      begun.open();
      await held.opened;
    });
    await ctx.step("second", () => void ran.push("second"));
  });
  return { begun, held, ran, workflow };
}

describe("pause", () => {
  it("of a running run lets the body in flight finish, hands the run back without spending an attempt, and resumes behind it", async () => {
    const { begun, held, ran, workflow } = aHeldWorkflow("pause-running");
    const runId = await engine.start(workflow);
    // The pause arrives with the record of the body: the next heartbeat is far away.
    await engine.worker([workflow], { leaseMs: 60_000 });
    await begun.opened;
    const asked = await pause(desk(), { runId, reason });
    expect(asked).toMatchObject({ status: "running", pauseRequestedAt: expect.any(String) });
    expect(asked.summary).toMatch(/Being paused/);
    held.open();
    const { run, steps, attempts } = await engine.untilRun(runId, isPaused);
    expect(run).toMatchObject({ worker_id: null, due_at: null, waiting_kind: null, lost_claims: 0 });
    expect(steps).toMatchObject([{ name: "first", status: "completed", attempt: 1 }]);
    expect(attempts).toEqual([]);
    expect(ran).toEqual(["first"]);

    await resume(desk(), { runId, reason: "moved" });
    const after = await engine.untilEnded(runId);
    expect(after.run).toMatchObject({ status: "completed", pause_requested_at: null });
    expect(ran).toEqual(["first", "second"]);
    const acts = await engine.rows("select act, reason from handrail.audit where run_id = $1 order by id", [runId]);
    expect(acts).toEqual([
      { act: "pause", reason },
      { act: "resume", reason: "moved" },
    ]);
  });

  it("is heard by a heartbeat when the body does not end, and the step beside it that is between two attempts is not tried", async () => {
    let tries = 0;
    const begun = gate();
    const held = gate();
    const retry = { maxAttempts: 5, initialDelayMs: 6_000, factor: 1, jitter: 0 };
    const workflow = defineWorkflow({ name: "pause-between-attempts", input }, async (ctx) => {
      const body = ctx.step("held", async () => {
        begun.open();
        await held.opened;
      });
      const flaky = ctx.step(
        "flaky",
        () => {
          if (++tries < 2) throw new Error("not yet");
          return tries;
        },
        { retry },
      );
      await body;
      return flaky;
    });
    const runId = await engine.start(workflow);
    await engine.worker([workflow], { leaseMs: 2_000 });
    await begun.opened;
    await engine.untilRun(runId, ({ attempts }) => attempts.length === 1);
    await pause(desk(), { runId, reason });
    // The body keeps the run in memory past the time of the next attempt, and many heartbeats past the pause.
    await until("the time of the next attempt", async () => {
      const [step] = await engine.rows(
        "select next_attempt_at < clock_timestamp() - interval '1 s' as past from handrail.step where run_id = $1 and name = 'flaky'",
        [runId],
      );
      return step?.past === true || tries > 1;
    });
    expect(tries).toBe(1);
    held.open();
    const { steps } = await engine.untilRun(runId, isPaused);
    expect(steps.find(({ name }) => name === "flaky")).toMatchObject({ status: "waiting", attempt: 1 });
    await resume(desk(), { runId, reason });
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 2 });
  });

  it("of a sleeping run keeps its timer from firing; resumed, one that has passed is due at once", async () => {
    const workflow = defineWorkflow({ name: "pause-asleep", input }, (ctx) => ctx.sleep("nap", 600));
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    const { status, waitingFor } = await pause(desk(), { runId, reason });
    expect({ status, waitingFor }).toEqual({ status: "paused", waitingFor: null });
    await engine.rows("select pg_sleep(0.9)");
    const { run, steps } = await engine.historyOf(runId);
    expect(run.status).toBe("paused");
    expect(steps).toMatchObject([{ name: "nap", status: "waiting" }]);
    await resume(desk(), { runId, reason });
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });

  it("leaves a timer that has not passed as it was", async () => {
    const workflow = defineWorkflow({ name: "pause-far", input }, (ctx) => ctx.sleep("nap", "1h"));
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    const before = await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await pause(desk(), { runId, reason });
    await resume(desk(), { runId, reason });
    const after = await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    expect(after.run).toMatchObject({ waiting_kind: "timer", due_at: before.run.due_at });
    expect(after.steps[0]?.next_attempt_at).toEqual(before.steps[0]?.next_attempt_at);
  });

  it("of a run that is to begin later keeps when", async () => {
    const workflow = defineWorkflow({ name: "pause-later", input }, async () => undefined);
    const runAt = new Date(Date.now() + 3_600_000);
    const runId = await engine.start(workflow, {}, { runAt });
    expect(await pause(desk(), { runId, reason })).toMatchObject({ status: "paused", runAt: null });
    await engine.worker([workflow]);
    expect(await resume(desk(), { runId, reason })).toMatchObject({ status: "pending", runAt: runAt.toISOString() });
    await wake(desk(), { runId, reason });
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });

  it("is refused twice, of an ended run, and resume of a run that nobody paused", async () => {
    const workflow = defineWorkflow({ name: "pause-refused", input }, async () => undefined);
    const runId = await engine.start(workflow);
    await expect(resume(desk(), { runId, reason })).rejects.toMatchObject(refused);
    await pause(desk(), { runId, reason });
    await expect(pause(desk(), { runId, reason })).rejects.toMatchObject(refused);
    await resume(desk(), { runId, reason });
    await engine.worker([workflow]);
    await engine.untilEnded(runId);
    await expect(pause(desk(), { runId, reason })).rejects.toMatchObject(refused);
  });
});

describe("a pause that races", () => {
  /** When the worker has decided and not yet reported it. */
  function onceAt(at: FaultPoint, act: () => Promise<unknown>): void {
    let done = false;
    setFaultHandler(async (point) => {
      if (point !== at || done) return;
      done = true;
      await act();
    });
  }

  it("with the run's completion: the end is kept, and nothing is left of the pause", async () => {
    const workflow = defineWorkflow({ name: "pause-race-end", input }, (ctx) => ctx.step("a", () => "a"));
    const runId = await engine.start(workflow);
    onceAt("run:before-end", () => pause(desk(), { runId, reason }));
    await engine.worker([workflow]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", pause_requested_at: null });
  });

  it("with its way to sleep: it is paused, and no timer wakes it", async () => {
    const workflow = defineWorkflow({ name: "pause-race-sleep", input }, (ctx) => ctx.sleep("nap", 50));
    const runId = await engine.start(workflow);
    onceAt("run:before-suspend", () => pause(desk(), { runId, reason }));
    await engine.worker([workflow]);
    const { run } = await engine.untilRun(runId, isPaused);
    expect(run).toMatchObject({ due_at: null, waiting_kind: null });
    await resume(desk(), { runId, reason });
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });

  it("with the record of its way to sleep, which has begun before it and waits for it: it is paused", async () => {
    const workflow = defineWorkflow({ name: "pause-meets-record", input }, async () => undefined);
    const runId = await engine.start(workflow);
    const { epoch } = await claimOne(engine.db, workflow);
    const asleep = { to: "waiting", kind: "timer", step: "nap", dueAt: "2999-01-01", attention: null } as const;
    const recording = await engine.db.transaction(async (tx) => {
      await lockRun(tx, runId);
      const recorded = recordAlone(engine.db, [{ runId, epoch, run: asleep }]);
      await until("The record's wait for the run", async () => {
        const waiting = await engine.rows(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return waiting.length > 0;
      });
      await pauseRun(tx, runId, null);
      return { recorded };
    });
    expect((await recording.recorded).has(runId)).toBe(true);
    const { run } = await engine.historyOf(runId);
    expect(run).toMatchObject({
      status: "paused",
      worker_id: null,
      due_at: null,
      pause_requested_at: expect.any(Date),
    });
  });

  it("with a cancel, whichever comes first: the run ends", async () => {
    const { begun, held, workflow } = aHeldWorkflow("pause-then-cancel");
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await begun.opened;
    await pause(desk(), { runId, reason });
    await cancel(desk(), { runId, reason });
    await expect(pause(desk(), { runId, reason })).rejects.toMatchObject(refused);
    held.open();
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "cancelled", pause_requested_at: null });
  });

  it("with a cancel of the paused run: it ends, too", async () => {
    const workflow = defineWorkflow({ name: "cancel-paused", input }, async () => undefined);
    const runId = await engine.start(workflow, {}, { runAt: new Date(Date.now() + 3_600_000) });
    await pause(desk(), { runId, reason });
    expect(await cancel(desk(), { runId, reason })).toMatchObject({ status: "cancelled", pauseRequestedAt: null });
  });

  it("with the death of its worker: the take-over pauses it", async () => {
    const workflow = defineWorkflow({ name: "pause-takeover", input }, (ctx) => ctx.step("a", () => "a"));
    const runId = await engine.start(workflow);
    expect((await claimOne(engine.db, workflow)).id).toBe(runId);
    await pause(desk(), { runId, reason });
    await engine.endLeases();
    await takeOverLostRuns(engine.db);
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "paused", worker_id: null, due_at: null });
    await resume(desk(), { runId, reason });
    await engine.worker([workflow]);
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });

  it("with the loss of a claim's answer: the hand-back pauses it", async () => {
    const workflow = defineWorkflow({ name: "pause-handback", input }, async () => undefined);
    const runId = await engine.start(workflow);
    const { id, workerId } = await claimOne(engine.db, workflow);
    expect(id).toBe(runId);
    await pause(desk(), { runId, reason });
    await handBackUnknown(engine.db, workerId, []);
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "paused", worker_id: null });
  });

  it("with its own resumption, before the worker has let go: the run goes on", async () => {
    const { begun, held, ran, workflow } = aHeldWorkflow("resume-early");
    const runId = await engine.start(workflow);
    await engine.worker([workflow], { leaseMs: 60_000 });
    await begun.opened;
    await pause(desk(), { runId, reason });
    // The worker has received the pause and is about to release the run when the run is resumed.
    const resumed = gate();
    onceAt("run:before-end", async () => {
      await resume(desk(), { runId, reason });
      resumed.open();
    });
    held.open();
    await resumed.opened;
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
    expect(ran).toEqual(["first", "second"]);
  });

  it("with a claim of the same run: it is held before or asked of the worker, never lost", async () => {
    const workflow = defineWorkflow({ name: "pause-race-claim", input }, (ctx) => ctx.step("a", () => "a"));
    const ids = await Promise.all(Array.from({ length: 12 }, () => engine.start(workflow)));
    const [, ...acts] = await Promise.all([
      engine.worker([workflow]),
      ...ids.map((runId) => pause(desk(), { runId, reason }).catch((error: unknown) => error)),
    ]);
    expect(acts).toHaveLength(ids.length);
    for (const runId of ids)
      await engine.untilRun(runId, ({ run }) => run.status === "paused" || run.status === "completed");
  });
});
