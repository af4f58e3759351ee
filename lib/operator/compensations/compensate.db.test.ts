import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Db, poolDb } from "../../store/db";
import { compensate, markCompensated } from "../../testing/actions";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import type { RunView } from "../runs/run-view";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

const reason = "the customer changed their mind";
const note = "refunded in the gateway's own console";
const row = async (runId: string) =>
  (await database.pool.query("select * from handrail.run where id = $1", [runId])).rows[0];
const compensations = (run: RunView) => run.steps.map(({ name, compensation }) => [name, compensation.status]);

describe("compensate", () => {
  it("owes the compensation of every completed step that declares one; the last to complete goes first", async () => {
    const runId = await aRun(db).completed();
    const run = await compensate(aDesk(db), { runId, reason });
    expect(run).toMatchObject({
      status: "compensating",
      finishedAt: null,
      attention: "compensation_owed",
      output: { orderId: "A-17" },
      waitingFor: { kind: "operator", step: "send-confirmation", until: null },
    });
    expect(compensations(run)).toEqual([
      ["create-order", "owed"],
      ["charge-payment", "owed"],
      ["send-confirmation", "owed"],
    ]);
    expect(await row(runId)).toMatchObject({ due_at: null, worker_id: null, epoch: "2" });
  });

  it("is due for a worker at once where the first compensation is code, and keeps the error", async () => {
    const runId = await aRun(db).failedAt("send-confirmation");
    await database.pool.query("update handrail.run set lost_claims = 5 where id = $1", [runId]);
    const run = await compensate(aDesk(db), { runId, reason });
    // Losses from before say nothing of its compensations.
    expect((await row(runId)).lost_claims).toBe(0);
    expect(run).toMatchObject({
      status: "compensating",
      attention: null,
      waitingFor: null,
      failedStep: "send-confirmation",
    });
    expect(run.error).not.toBeNull();
    expect((await row(runId)).due_at).not.toBeNull();
    expect(compensations(run)).toEqual([
      ["create-order", "owed"],
      ["charge-payment", "owed"],
      ["send-confirmation", "none"],
    ]);
  });

  it("retries failed compensations in a run that is being compensated", async () => {
    const runId = await aRun(db).failedToCompensate();
    const run = await compensate(aDesk(db), { runId, reason });
    expect(run).toMatchObject({ status: "compensating", attention: null });
    expect(compensations(run)).toEqual([
      ["create-order", "owed"],
      ["charge-payment", "owed"],
    ]);
    expect((await row(runId)).due_at).not.toBeNull();
  });

  it.each([
    ["an outcome is unknown", () => aRun(db).waitingUnknown("charge-payment"), "unknown outcome"],
    [
      "nothing that was done declares an undo",
      () => aRun(db).like({ status: "completed", steps: [] }),
      "No completed step",
    ],
    ["the compensations are under way", () => aRun(db).compensating(), "under way"],
    ["the run goes on", () => aRun(db).asleepAfter("charge-payment"), "has not ended"],
    ["a worker is on it", () => aRun(db).runningAt("charge-payment"), "being worked on"],
  ])("is refused while %s", async (_, make, because) => {
    const runId = await make();
    await expect(compensate(aDesk(db), { runId, reason })).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining(because),
    });
  });
});

describe("mark compensated", () => {
  it("records who did what, and lets the compensation before it begin", async () => {
    const runId = await aRun(db).compensating();
    const run = await markCompensated(aDesk(db, { actor: "mia" }), {
      runId,
      step: "send-confirmation",
      outcome: "compensated",
      note,
      reference: "mail-7",
    });
    expect(run.steps[2]?.compensation).toMatchObject({ status: "completed", by: "mia", note, reference: "mail-7" });
    expect(run).toMatchObject({ status: "compensating", attention: null, waitingFor: null });
    expect((await row(runId)).due_at).not.toBeNull();
  });

  it("ends the run as compensated with the last one", async () => {
    const runId = await aRun(db).like({
      status: "compensating",
      attention: "compensation_owed",
      waiting: { kind: "operator", step: "pay" },
      steps: [{ name: "pay", status: "completed", compensation: "manual" }],
      compensations: [{ step: "pay", mode: "manual", status: "owed" }],
    });
    const run = await markCompensated(aDesk(db), { runId, step: "pay", outcome: "waived", note: "a test order" });
    expect(run).toMatchObject({ status: "compensated", attention: null, waitingFor: null });
    expect(run.finishedAt).not.toBeNull();
    expect(run.steps[0]?.compensation).toMatchObject({ status: "waived", by: "operator", note: "a test order" });
  });

  it("out of order is recorded, but what completed later still decides what comes next", async () => {
    const runId = await aRun(db).compensating();
    const run = await markCompensated(aDesk(db), { runId, step: "create-order", outcome: "compensated", note });
    expect(run).toMatchObject({ attention: "compensation_owed", waitingFor: { step: "send-confirmation" } });
  });

  it("leaves the run to the worker that holds it", async () => {
    const runId = await aRun(db).compensatingInHand();
    const before = await row(runId);
    await markCompensated(aDesk(db), { runId, step: "create-order", outcome: "compensated", note });
    const after = await row(runId);
    expect(after).toMatchObject({ worker_id: before.worker_id, epoch: before.epoch, due_at: null });
    expect(Number(after.revision)).toBeGreaterThan(Number(before.revision));
  });

  it.each([
    ["runs right now", () => aRun(db).compensatingInHand(), "charge-payment", "running this compensation now"],
    ["is not owed yet", () => aRun(db).completed(), "charge-payment", "is not being compensated"],
  ])("is refused for one that %s", async (_, make, step, because) => {
    const runId = await make();
    await expect(markCompensated(aDesk(db), { runId, step, outcome: "compensated", note })).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining(because),
    });
  });
});
