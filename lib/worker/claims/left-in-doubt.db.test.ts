import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { OutcomeUnknownError } from "../../engine/steps/outcome-unknown-error";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { type Context, defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { record, recordAlone } from "../../store/steps/record";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { cancel, compensate, rerun, settleStep } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { anAttempt, aRecord, aStepRecord, claimOne } from "../../testing/rows/claims";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";

const engine = anEngine();
const input = z.object({});
const reason = "looked it up at the provider";
const desk = () => aDesk(engine.db);
const LATER = { initialDelayMs: 60_000, jitter: 0 };

/** A charge whose first answer is lost: it waits a minute for its retry. */
function aCharge() {
  const keys: string[] = [];
  const undone: string[] = [];
  const charge = (ctx: Context) =>
    ctx.step(
      "charge",
      ({ idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (keys.length === 1) throw new OutcomeUnknownError("the answer was lost");
        return "charged";
      },
      { retry: LATER, compensate: (output) => void undone.push(`charge ${output}`) },
    );
  const order = (ctx: Context) =>
    ctx.step("order", () => "ordered", { compensate: () => void undone.push("order"), effect: "pure" });
  return { charge, order, keys, undone };
}

const stepIs = async (runId: string, step: string, status: string) =>
  (await engine.historyOf(runId)).steps.some((row) => row.name === step && row.status === status);
const waits = (runId: string, step = "charge") => until(`step ${step} waits`, () => stepIs(runId, step, "waiting"));

/** Another branch, which fails once the charge waits. */
const failsBeside = (ctx: Context) =>
  ctx.step("pack", async () => {
    if (await stepIs(ctx.run.id, "pack", "failed")) return;
    await waits(ctx.run.id);
    throw new NonRetryableError("nothing in stock");
  });

const ofCharge = async (runId: string) =>
  (await engine.historyOf(runId)).steps.find(({ name, superseded_by }) => name === "charge" && superseded_by === null);

async function expectUnknown(runId: string): Promise<void> {
  const { run, compensations } = await engine.historyOf(runId);
  expect(run).toMatchObject({ attention: "outcome_unknown" });
  expect(compensations).toEqual([]);
  expect(await ofCharge(runId)).toMatchObject({
    status: "unknown",
    error: { message: "the answer was lost" },
    doubt: expect.stringContaining("the answer was lost"),
    next_attempt_at: null,
    finished_position: null,
  });
}

describe("a step that waits for its retry after an attempt that may have had its effect is unknown when its run", () => {
  async function failedBeside(name: string, onFailure: "compensate" | "stop") {
    const scene = aCharge();
    const workflow = defineWorkflow({ name, input, onFailure }, async (ctx) => {
      await scene.order(ctx);
      await Promise.all([scene.charge(ctx), failsBeside(ctx)]);
    });
    const { run } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", failed_step: "pack", error: { message: "nothing in stock" } });
    await expectUnknown(run.id);
    expect(await stepIs(run.id, "pack", "failed")).toBe(true);
    return { runId: run.id, ...scene };
  }

  it.each([
    ["happened", ["charge charged by hand", "order"]],
    ["did_not_happen", ["order"]],
  ] as const)("fails in another branch; if it %s, these are compensated: %j", async (outcome, compensated) => {
    const { runId, undone } = await failedBeside(`doubt-${outcome.replaceAll("_", "-")}`, "compensate");
    await expect(compensate(desk(), { runId, reason })).rejects.toMatchObject({ code: "not_allowed" });
    const given = outcome === "happened" ? { output: "charged by hand" } : {};
    await settleStep(desk(), { runId, step: "charge", outcome, ...given, reason });
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "failed", attention: "failed" });
    await compensate(desk(), { runId, reason });
    await engine.untilRun(runId, ({ run }) => run.status === "compensated");
    expect(undone).toEqual(compensated);
  });

  it("fails in another branch; a rerun calls it again, with its key", async () => {
    const { runId, keys } = await failedBeside("doubt-rerun", "stop");
    const refused = rerun(desk(), { runId, freshKeys: true, reason });
    await expect(refused).rejects.toMatchObject({ code: "not_allowed" });
    await rerun(desk(), { runId, reason });
    await until("the second call", () => keys.length === 2);
    expect(new Set(keys).size).toBe(1);
    expect((await engine.untilEnded(runId)).steps.filter(({ name }) => name === "charge")).toMatchObject([
      { status: "unknown", superseded_by: 2 },
      { status: "completed", output: "charged", superseded_by: null },
    ]);
  });

  it("has its time over", async () => {
    const { charge } = aCharge();
    const workflow = defineWorkflow({ name: "doubt-timeout", input, timeoutMs: 400 }, charge);
    const { run } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", error: { code: "run_timed_out" } });
    await expectUnknown(run.id);
  });

  it("completes without it", async () => {
    const { charge } = aCharge();
    const workflow = defineWorkflow({ name: "doubt-race", input }, (ctx) =>
      Promise.race([charge(ctx), ctx.step("beside", () => waits(ctx.run.id).then(() => "first"))]),
    );
    const { run } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: "first" });
    await expectUnknown(run.id);
  });

  it("fails in a later claim", async () => {
    const { charge } = aCharge();
    const workflow = defineWorkflow({ name: "doubt-later", input }, async (ctx) => {
      const charged = charge(ctx);
      await ctx.sleep("nap", 1_500);
      await ctx.step("pack", () => Promise.reject(new NonRetryableError("nothing in stock")));
      return charged;
    });
    const { run } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", failed_step: "pack", epoch: 2 });
    await expectUnknown(run.id);
  });
});

describe("such a step is unknown when a cancel ends", () => {
  const beside = (name: string, code: (ctx: Context) => Promise<unknown>) => {
    const { charge } = aCharge();
    return defineWorkflow({ name, input }, (ctx) => Promise.all([charge(ctx), code(ctx)]));
  };
  const cancelled = async (runId: string) => {
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "cancelled" });
    await expectUnknown(runId);
  };

  it("the waiting run; other waits stay as they are", async () => {
    const workflow = beside("cancel-doubt", (ctx) =>
      Promise.all([
        ctx.sleep("nap", 60_000),
        ctx.waitForEvent("paid", { event: "paid", schema: z.unknown() }),
        ctx.step("down", () => Promise.reject(new Error("down")), { retry: LATER }),
      ]),
    );
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await engine.untilRun(runId, ({ run }) => run.status === "waiting");
    await cancel(desk(), { runId, reason });
    await cancelled(runId);
    for (const step of ["nap", "paid", "down"]) expect(await stepIs(runId, step, "waiting"), step).toBe(true);
    await settleStep(desk(), { runId, step: "charge", outcome: "happened", reason });
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "cancelled", attention: null });
  });

  it("the run in another body", async () => {
    const workflow = beside("cancel-doubt-held", (ctx) =>
      ctx.step("held", ({ signal }) => delay(60_000, undefined, { signal }), { effect: "pure" }),
    );
    const runId = await engine.start(workflow);
    await engine.worker([workflow], { leaseMs: 800 });
    await waits(runId);
    await cancel(desk(), { runId, reason });
    await cancelled(runId);
  });

  it("the run as it comes to rest", async () => {
    const workflow = beside("cancel-doubt-resting", () => Promise.resolve());
    const runId = await engine.start(workflow);
    let asked = false;
    setFaultHandler(async (point) => {
      if (point !== "run:before-suspend" || asked) return;
      asked = true;
      await cancel(desk(), { runId, reason });
    });
    await engine.worker([workflow], { leaseMs: 60_000 });
    await cancelled(runId);
  });

  it.each(["waiting", "running"])("its parent, while it is %s", async (status) => {
    const child = beside(`doubtful-child-${status}`, (ctx) =>
      status === "waiting"
        ? Promise.resolve()
        : ctx.step("held", ({ signal }) => delay(60_000, undefined, { signal }), { effect: "pure" }),
    );
    const parent = defineWorkflow({ name: `doubtful-parent-${status}`, input }, (ctx) => ctx.child("child", child, {}));
    const runId = await engine.start(parent);
    await engine.worker([parent, child], { leaseMs: 800 });
    const find = "select id::text from handrail.run where parent_run_id = $1 and status = $2";
    const [found] = await until("the child rests", async () => {
      const rows = await engine.rows<{ id: string }>(find, [runId, status]);
      return rows[0] && (await stepIs(rows[0].id, "charge", "waiting")) && rows;
    });
    await cancel(desk(), { runId, reason });
    await cancelled((found as { id: string }).id);
  });
});

describe("a run that a cancel ends as its worker hands it back", () => {
  const workflowOf = (name: string): Workflow => defineWorkflow({ name, input }, async () => undefined);

  /** The record waits for the lock of the cancel that comes first. */
  async function handedBack(name: string, given: Parameters<typeof aStepRecord>[0]) {
    const workflow = workflowOf(name);
    const runId = await engine.start(workflow);
    const claim = await claimOne(engine.db, workflow);
    const step = aStepRecord({ name: "charge", ...given });
    const attempt = given?.status === "waiting" ? { attempt: anAttempt({ step: "charge", status: "unknown" }) } : {};
    await record(engine.db, [aRecord(claim, { step, ...attempt })]);
    const other = await engine.database.pool.connect();
    try {
      await other.query("begin");
      await other.query("update handrail.run set cancel_requested_at = clock_timestamp() where id = $1", [runId]);
      const recorded = recordAlone(engine.db, [aRecord(claim, { run: { to: "pending", mayBeInDoubt: true } })]);
      const blocked = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await until("The record waits for the cancel", async () => (await engine.rows(blocked)).length > 0);
      await other.query("commit");
      await recorded;
    } finally {
      await other.query("rollback");
      other.release();
    }
    return engine.historyOf(runId);
  }

  it.each([
    ["waits after a lost answer", { status: "waiting", doubt: '{"name":"Error","message":"lost"}' }, "lost"],
    ["was running", { status: "running" }, "worker was lost"],
    ["must not be repeated", { status: "running", effect: "once" }, "worker was lost"],
  ] as const)("asks for a person about a step that %s", async (what, given, message) => {
    const { run, steps } = await handedBack(`handed-back-${what.replaceAll(" ", "-")}`, given);
    expect(run).toMatchObject({ status: "cancelled", attention: "outcome_unknown" });
    expect(steps).toMatchObject([{ status: "unknown", error: { message: expect.stringContaining(message) } }]);
  });

  it.each([
    ["is pure", { status: "running", effect: "pure" }],
    ["is a transaction", { status: "running", kind: "transaction" }],
    ["waits after a failure", { status: "waiting" }],
  ] as const)("asks for none about a step that %s", async (what, given) => {
    const { run, steps } = await handedBack(`not-doubted-${what.replaceAll(" ", "-")}`, given);
    expect(run).toMatchObject({ status: "cancelled", attention: null });
    expect(steps).toMatchObject([{ status: "waiting" }]);
  });
});

it("a body of a lost worker that the code completes without is unknown, and the run asks for a person", async () => {
  const workflow = defineWorkflow({ name: "completes-without-lost-body", input, drift: "go_on" }, () =>
    Promise.resolve("done"),
  );
  const runId = await engine.start(workflow);
  const claim = await claimOne(engine.db, workflow);
  await record(engine.db, [aRecord(claim, { step: aStepRecord({ name: "charge", status: "running" }) })]);
  await engine.endLeases();
  await takeOverLostRuns(engine.db);
  await engine.worker([workflow]);
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", attention: "outcome_unknown" });
  expect(await stepIs(runId, "charge", "unknown")).toBe(true);
});
