import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Db, poolDb } from "../../store/db";
import { settleStep } from "../../testing/actions";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { readRun } from "../runs/reads";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

const reason = "seen in the gateway's ledger";
const step = "charge-payment";
const stepRow = async (runId: string, name = step) =>
  (
    await database.pool.query("select * from handrail.step where run_id = $1 and name = $2 and superseded_by is null", [
      runId,
      name,
    ])
  ).rows[0];

describe("resolving an unknown step", () => {
  it("happened: completes it in place with the given output, and the run goes on", async () => {
    const runId = await aRun(db).waitingUnknown(step);
    const run = await settleStep(aDesk(db), {
      runId,
      step,
      outcome: "happened",
      output: { id: "ch_9" },
      reference: "ch_9",
      reason,
    });
    expect(run).toMatchObject({ status: "pending", attention: null, waitingFor: null, generation: 1 });
    expect(run.steps[1]).toMatchObject({
      status: "completed",
      output: { id: "ch_9" },
      reference: "ch_9",
      attempt: 1,
      attempts: [{ number: 1, status: "unknown" }],
    });
    expect(await stepRow(runId)).toMatchObject({ finished_position: 2, doubt: null });
  });

  it("happened without output: the step gave undefined", async () => {
    const runId = await aRun(db).waitingUnknown(step);
    await settleStep(aDesk(db), { runId, step, outcome: "happened", reason });
    expect((await stepRow(runId)).output).toBe('{"$type":"undefined"}');
  });

  it("happened: keeps a tagged value as the value it encodes, and refuses one that encodes nothing", async () => {
    const runId = await aRun(db).waitingUnknown(step);
    const send = (output: unknown) => settleStep(aDesk(db), { runId, step, outcome: "happened", output, reason });
    for (const output of [{ $type: "bigint", value: "x" }, { $type: "nonsense" }, { $type: "Map", value: 1 }])
      await expect(send(output)).rejects.toMatchObject({ code: "invalid_input" });
    await send({ at: { $type: "Date", value: "2026-01-01T00:00:00.000Z" } });
    expect((await stepRow(runId)).output).toBe('{"at":{"$type":"Date","value":"2026-01-01T00:00:00.000Z"}}');
  });

  it("did not happen: may be tried again at once, and the attempt stays on record", async () => {
    const runId = await aRun(db).waitingUnknown(step);
    const run = await settleStep(aDesk(db), { runId, step, outcome: "did_not_happen", reason });
    expect(run.status).toBe("pending");
    expect(run.steps[1]).toMatchObject({
      status: "waiting",
      finishedAt: null,
      attempts: [{ number: 1, status: "unknown" }],
    });
    expect(run.steps[1]?.nextAttemptAt).not.toBeNull();
  });

  it("skip: leaves it out", async () => {
    const runId = await aRun(db).waitingUnknown(step);
    const run = await settleStep(aDesk(db), { runId, step, outcome: "skip", reason });
    expect(run).toMatchObject({ status: "pending", attention: null });
    expect(run.steps[1]).toMatchObject({ status: "skipped", output: { $type: "undefined" } });
  });

  it("ask: only where the code can; the step stays unknown until a worker has asked", async () => {
    const deaf = await aRun(db).waitingUnknown(step);
    await expect(settleStep(aDesk(db), { runId: deaf, step, outcome: "ask", reason })).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining("cannot check"),
    });
    const runId = await aRun(db).waitingUnknown(step, { canAsk: true });
    const run = await settleStep(aDesk(db), { runId, step, outcome: "ask", reason });
    expect(run).toMatchObject({ status: "pending", attention: null });
    expect(run.steps[1]).toMatchObject({ status: "unknown", attempts: [{ number: 1, status: "unknown" }] });
  });

  it("waits on while another one is unknown, and says for which", async () => {
    const runId = await aRun(db).like({
      status: "waiting",
      attention: "outcome_unknown",
      waiting: { kind: "operator", step: "charge-a" },
      steps: [
        { name: "charge-a", status: "unknown" },
        { name: "charge-b", status: "unknown" },
      ],
    });
    const first = await settleStep(aDesk(db), { runId, step: "charge-a", outcome: "happened", reason });
    expect(first).toMatchObject({ status: "waiting", attention: "outcome_unknown", waitingFor: { step: "charge-b" } });
    const second = await settleStep(aDesk(db), { runId, step: "charge-b", outcome: "did_not_happen", reason });
    expect(second).toMatchObject({ status: "pending", attention: null });
  });

  it("on a cancelled run only clears the question", async () => {
    const runId = await aRun(db).cancelledWithUnknown(step);
    const run = await settleStep(aDesk(db), { runId, step, outcome: "did_not_happen", reason });
    expect(run).toMatchObject({ status: "cancelled", attention: null });
  });

  it("is refused for a step whose outcome is known", async () => {
    const runId = await aRun(db).waitingUnknown(step);
    await expect(
      settleStep(aDesk(db), { runId, step: "create-order", outcome: "happened", reason }),
    ).rejects.toMatchObject({ code: "not_allowed", message: expect.stringContaining("this one is completed") });
  });
});

describe("a failed step of a failed run", () => {
  it("skip: a row without an attempt takes its place in a new generation", async () => {
    const runId = await aRun(db).failedAt(step);
    const run = await settleStep(aDesk(db), { runId, step, outcome: "skip", reason });
    expect(run).toMatchObject({ status: "pending", generation: 2, attention: null, error: null, failedStep: null });
    expect(
      run.steps.map(({ name, generation, status, supersededBy, attempt }) => [
        name,
        generation,
        status,
        supersededBy,
        attempt,
      ]),
    ).toEqual([
      ["create-order", 1, "completed", null, 1],
      [step, 1, "failed", 2, 4],
      [step, 2, "skipped", null, 0],
    ]);
    expect(run.steps[2]?.attempts).toEqual([]);
  });

  it("happened: its output is set and its compensation stays declared", async () => {
    const runId = await aRun(db).failedAt(step);
    const run = await settleStep(aDesk(db), {
      runId,
      step,
      outcome: "happened",
      output: { id: "ch_1" },
      reference: "ch_1",
      reason,
    });
    expect(run.steps[2]).toMatchObject({
      status: "completed",
      output: { id: "ch_1" },
      reference: "ch_1",
      compensation: { mode: "automatic", status: "none" },
    });
    expect(run.steps[2]?.idempotencyKey).toBe(run.steps[1]?.idempotencyKey);
    expect(await stepRow(runId)).toMatchObject({ finished_position: 3, key_generation: 1 });
  });

  it("can be rerun from afterwards like any other", async () => {
    const runId = await aRun(db).failedAt(step);
    await settleStep(aDesk(db), { runId, step, outcome: "skip", reason });
    expect((await readRun(db, runId)).revision).toBe(1);
    await expect(settleStep(aDesk(db), { runId, step, outcome: "skip", reason })).rejects.toMatchObject({
      code: "not_allowed",
    });
  });
});
