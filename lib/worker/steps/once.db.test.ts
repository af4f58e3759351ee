import { describe, expect, it } from "vitest";
import { z } from "zod";
import { OutcomeUnknownError } from "../../engine/steps/outcome-unknown-error";
import type { Reconciliation, StepOptions } from "../../engine/workflows/step-options";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { record } from "../../store/steps/record";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { settleStep } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { aRecord, aStepRecord, claimOne } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";

// Nothing makes it safe to repeat a step with effect "once": a possible effect is resolved, never repeated.

const engine = anEngine();
const input = z.object({});

function oneMail(name: string, body: (calls: number) => unknown, options: StepOptions<unknown> = {}) {
  const keys: string[] = [];
  const workflow = defineWorkflow({ name, input, retry: { initialDelayMs: 1 } }, (ctx) =>
    ctx.step(
      "send",
      ({ idempotencyKey }) => {
        keys.push(idempotencyKey);
        return body(keys.length);
      },
      { effect: "once", ...options },
    ),
  );
  return { workflow, keys };
}

/** A run whose worker died in the body of its mail: the start is on record, the outcome is not. */
async function diedInBody(workflow: ReturnType<typeof oneMail>["workflow"]): Promise<string> {
  const runId = await engine.start(workflow);
  const run = await claimOne(engine.db, workflow);
  const step = aStepRecord({
    name: "send",
    effect: "once",
    status: "running",
    maxAttempts: 1,
    canAsk: true,
    workerId: run.workerId,
  });
  await record(engine.db, [aRecord(run, { step })]);
  await engine.endLeases();
  await takeOverLostRuns(engine.db);
  return runId;
}

describe("once its worker has died in the body, a step that the next build calls otherwise", () => {
  it.each(["idempotent", "pure"] as const)(
    "%s is not repeated; once a person has said that it did not happen, it is",
    async (effect) => {
      const runId = await diedInBody(oneMail(`now-${effect}`, () => "sent").workflow);
      const { workflow, keys } = oneMail(`now-${effect}`, () => "sent", { effect });
      await engine.worker([workflow]);
      const { steps } = await engine.untilRun(runId, ({ run }) => run.status !== "pending" && run.status !== "running");
      expect(steps).toMatchObject([{ status: "unknown", effect: "once" }]);
      expect(keys).toEqual([]);
      await settleStep(aDesk(engine.db), { runId, step: "send", outcome: "did_not_happen", reason: "asked them" });
      const after = await engine.untilEnded(runId);
      expect(after).toMatchObject({ run: { status: "completed" }, steps: [{ status: "completed", effect }] });
      expect(keys).toHaveLength(1);
    },
  );
});

it("a step that waits for its retry after a lost answer is not repeated by a build that calls it once", async () => {
  const lost = () => Promise.reject(new OutcomeUnknownError("the answer was lost"));
  const retry = { initialDelayMs: 1_500, jitter: 0 };
  const before = oneMail("now-once", lost, { effect: "idempotent", retry });
  const runId = await engine.start(before.workflow);
  const old = await engine.worker([before.workflow]);
  await engine.untilRun(runId, ({ steps }) => steps[0]?.status === "waiting");
  await old.stop(1_000);
  const now = oneMail("now-once", () => "sent");
  await engine.worker([now.workflow]);
  const { steps } = await engine.untilRun(runId, ({ run }) => run.attention !== null || run.status === "completed");
  expect(steps).toMatchObject([{ status: "unknown", effect: "once" }]);
  expect(now.keys).toEqual([]);
});

describe("the start of a once step", () => {
  it("is durable before its body", async () => {
    let seen: unknown;
    const { workflow } = oneMail("start-mark", async () => {
      [seen] = await engine.rows(
        "select step.status, attempt, step.worker_id is not null as owned from handrail.step join handrail.run on run.id = run_id where workflow = 'start-mark'",
      );
      return "sent";
    });
    const { run } = await engine.runToEnd(workflow);
    expect(run.output).toBe("sent");
    expect(seen).toEqual({ status: "running", attempt: 1, owned: true });
  });

  it("does not lead to its body when the run was cancelled meanwhile", async () => {
    const { workflow, keys } = oneMail("cancelled-at-start", () => "sent");
    const runId = await engine.start(workflow);
    setFaultHandler(async (point) => {
      if (point !== "step:before-start-mark") return;
      await engine.rows("update handrail.run set cancel_requested_at = clock_timestamp() where id = $1", [runId]);
    });
    await engine.worker([workflow]);
    const { run, steps } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "cancelled", attention: null });
    expect(steps[0]?.status).toBe("waiting");
    expect(keys).toEqual([]);
  });
});

describe("a once step", () => {
  it("is tried once unless it says otherwise, also when it failed for certain", async () => {
    const { workflow, keys } = oneMail("once-tried-once", () => {
      throw new Error("refused");
    });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", attention: "failed" });
    expect(steps).toMatchObject([{ status: "failed", attempt: 1 }]);
    expect(keys).toHaveLength(1);
  });

  it("is tried again after a failure for certain, if it says so", async () => {
    const { workflow, keys } = oneMail(
      "once-retried",
      (calls) => {
        if (calls === 1) throw new Error("refused");
        return "sent";
      },
      { retry: { maxAttempts: 2 } },
    );
    expect((await engine.runToEnd(workflow)).run.output).toBe("sent");
    expect(new Set(keys).size).toBe(1);
  });

  it.each([
    [
      "throws OutcomeUnknownError",
      { retry: { maxAttempts: 4 } },
      () => Promise.reject(new OutcomeUnknownError("the answer was lost")),
    ],
    ["takes longer than its timeout", { timeoutMs: 20, retry: { maxAttempts: 4 } }, () => new Promise(() => undefined)],
  ])("that %s waits for a person", async (what, options, body) => {
    const { workflow, keys } = oneMail(`once-doubt-${what.length}`, body, options);
    const { run, steps, attempts } = await engine.runToRest(workflow);
    expect(run).toMatchObject({
      status: "waiting",
      waiting_kind: "operator",
      waiting_step: "send",
      attention: "outcome_unknown",
    });
    expect(steps).toMatchObject([{ status: "unknown", attempt: 1, finished_position: null }]);
    expect(attempts).toEqual([]);
    expect(keys).toHaveLength(1);
  });

  it("whose worker died under its body is never begun again by itself", async () => {
    const { workflow, keys } = oneMail("once-died", () => "sent");
    const runId = await diedInBody(workflow);
    await engine.worker([workflow]);
    const { run, steps } = await engine.untilResting(runId);
    expect(run).toMatchObject({ status: "waiting", waiting_kind: "operator", attention: "outcome_unknown" });
    expect(steps).toMatchObject([{ status: "unknown", attempt: 1, error: { name: "WorkerLost" } }]);
    expect(keys).toEqual([]);
  });
});

describe("the provider of a once step in doubt, queried by reconcile,", () => {
  const died = async (name: string, answer: () => Promise<Reconciliation<unknown>>) => {
    const asked: string[] = [];
    const { workflow, keys } = oneMail(name, () => "sent now", {
      reconcile: ({ idempotencyKey }) => {
        asked.push(idempotencyKey);
        return answer();
      },
    });
    const runId = await diedInBody(workflow);
    await engine.worker([workflow]);
    return { asked, keys, ...(await engine.untilResting(runId)) };
  };

  it("says that it happened: its output is the step's", async () => {
    const { run, steps, attempts, keys } = await died("asked-yes", async () => ({
      happened: true,
      output: "sent then",
    }));
    expect(run).toMatchObject({ status: "completed", output: "sent then" });
    expect(steps).toMatchObject([{ status: "completed", output: "sent then", attempt: 1, doubt: null }]);
    expect(attempts).toMatchObject([{ number: 1, status: "unknown" }]);
    expect(keys).toEqual([]);
  });

  it("says that it did not happen: it is done, with the same key", async () => {
    const { run, attempts, keys, asked } = await died("asked-no", async () => ({ happened: false }));
    expect(run).toMatchObject({ status: "completed", output: "sent now" });
    expect(attempts).toMatchObject([{ number: 1, status: "failed" }]);
    expect(keys).toEqual(asked);
  });

  it.each([
    ["cannot be asked", "a", () => Promise.reject(new Error("unreachable"))],
    ["answers nonsense", "b", async () => ({}) as never],
    ["answers what cannot be kept", "c", async () => ({ happened: true as const, output: () => undefined })],
  ])("%s: a person is", async (_, name, answer) => {
    const { run, steps, keys } = await died(`asked-in-vain-${name}`, answer);
    expect(run).toMatchObject({ status: "waiting", waiting_kind: "operator", attention: "outcome_unknown" });
    expect(steps).toMatchObject([{ status: "unknown", can_ask: true }]);
    expect(keys).toEqual([]);
  });

  it("answers for certain each time: the attempts are counted, and end", async () => {
    const { workflow, keys } = oneMail(
      "asked-each-time",
      () => {
        throw new OutcomeUnknownError("the answer was lost");
      },
      { retry: { maxAttempts: 3, initialDelayMs: 20, jitter: 0 }, reconcile: async () => ({ happened: false }) },
    );
    const { run, steps, attempts } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", attention: "failed", failed_step: "send" });
    expect(steps).toMatchObject([{ status: "failed", attempt: 3, failures: 3 }]);
    expect(attempts.map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect(new Set(keys).size).toBe(1);
  });
});

describe("an idempotent step whose worker died under its body", () => {
  it("is done again with its key, and the attempt in doubt stays on record", async () => {
    const keys: string[] = [];
    const workflow = defineWorkflow({ name: "idempotent-died", input }, (ctx) =>
      ctx.step("charge", ({ idempotencyKey, attempt }) => {
        keys.push(`${attempt} ${idempotencyKey}`);
        return "charged";
      }),
    );
    const runId = await engine.start(workflow);
    const run = await claimOne(engine.db, workflow);
    await record(engine.db, [aRecord(run, { step: aStepRecord({ name: "charge", status: "running" }) })]);
    await engine.endLeases();
    await takeOverLostRuns(engine.db);
    await engine.worker([workflow]);
    const { steps, attempts } = await engine.untilEnded(runId);
    expect(steps).toMatchObject([{ status: "completed", attempt: 2, failures: 0 }]);
    expect(attempts).toMatchObject([{ number: 1, status: "unknown" }]);
    expect(keys).toEqual([`2 ${runId}:charge:1`]);
  });
});
