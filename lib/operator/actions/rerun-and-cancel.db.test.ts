import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Db, poolDb } from "../../store/db";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { cancel, rerun } from "../../testing/actions";
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

const row = async (runId: string) =>
  (await database.pool.query("select * from handrail.run where id = $1", [runId])).rows[0];
const reason = "the gateway is back";

describe("rerun", () => {
  it("opens a repair generation from the failed step; the result before it stays and so does the key", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    const before = await row(runId);

    const run = await rerun(aDesk(db), { runId, reason });

    expect(run).toMatchObject({
      status: "pending",
      generation: 2,
      attention: null,
      error: null,
      failedStep: null,
      finishedAt: null,
    });
    expect(run.steps.map(({ name, status, supersededBy }) => ({ name, status, supersededBy }))).toEqual([
      { name: "create-order", status: "completed", supersededBy: null },
      { name: "charge-payment", status: "failed", supersededBy: 2 },
    ]);
    const { rows } = await database.pool.query(
      "select next_key_generation from handrail.step where run_id = $1 and name = 'charge-payment'",
      [runId],
    );
    expect(rows).toEqual([{ next_key_generation: 1 }]);
    const after = await row(runId);
    expect(Number(after.epoch)).toBe(Number(before.epoch) + 1);
    expect(Number(after.revision)).toBeGreaterThan(Number(before.revision));
  });

  it("gives fresh keys only when asked to", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    await rerun(aDesk(db), { runId, freshKeys: true, reason });
    const { rows } = await database.pool.query(
      "select name, next_key_generation from handrail.step where run_id = $1 order by position",
      [runId],
    );
    expect(rows).toEqual([
      { name: "create-order", next_key_generation: null },
      { name: "charge-payment", next_key_generation: 2 },
    ]);
  });

  it("from a step sets that step and everything met after it aside", async () => {
    const runId = await aRun(db).completed();
    const run = await rerun(aDesk(db), { runId, fromStep: "charge-payment", reason });
    expect(run).toMatchObject({ status: "pending", output: null });
    expect(run.steps.map(({ supersededBy }) => supersededBy)).toEqual([null, 2, 2]);
  });

  it("of a run that failed between its steps sets nothing aside", async () => {
    const runId = await aRun(db).failedBetweenSteps();
    const run = await rerun(aDesk(db), { runId, reason });
    expect(run).toMatchObject({ status: "pending", generation: 2 });
    expect(run.steps.every(({ supersededBy }) => supersededBy === null)).toBe(true);
  });

  it.each([
    ["an unknown outcome is open", () => aRun(db).waitingUnknown("send-confirmation"), "unknown outcome"],
    ["a worker is on it", () => aRun(db).runningAt("charge-payment"), "being worked on"],
    ["it waits to be taken up", () => aRun(db).pending(), "waiting for a worker"],
    ["it is being compensated", () => aRun(db).compensating(), "being compensated"],
    ["it completed and no step was named", () => aRun(db).completed(), "no step failed"],
  ])("is refused while %s, and nothing changes", async (_, make, because) => {
    const runId = await make();
    const before = await readRun(db, runId);
    await expect(rerun(aDesk(db), { runId, reason })).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining(because),
    });
    const { audit, ...after } = await readRun(db, runId);
    expect({ ...after, audit: [] }).toEqual(before);
    expect(audit).toMatchObject([{ act: "rerun", result: "denied", code: "not_allowed" }]);
  });

  it("names a step or a run that does not exist", async () => {
    const runId = await aRun(db).completed();
    await expect(rerun(aDesk(db), { runId, fromStep: "nope", reason })).rejects.toMatchObject({ code: "unknown_step" });
    const nobody = "01890000-0000-7000-8000-000000000000";
    await expect(rerun(aDesk(db), { runId: nobody, reason })).rejects.toMatchObject({ code: "unknown_run" });
  });
});

describe("cancel", () => {
  it.each([
    ["pending", () => aRun(db).pending()],
    ["asleep", () => aRun(db).asleepAfter("create-order")],
    ["paused", () => aRun(db).paused()],
  ])("ends a run that is %s at once", async (_, make) => {
    const runId = await make();
    const run = await cancel(aDesk(db), { runId, reason });
    expect(run).toMatchObject({ status: "cancelled", attention: null, waitingFor: null });
    expect(run.finishedAt).not.toBeNull();
    expect(await row(runId)).toMatchObject({ epoch: "2", due_at: null });
  });

  it("keeps asking for a person where an outcome is unknown", async () => {
    const runId = await aRun(db).waitingUnknown("charge-payment");
    expect(await cancel(aDesk(db), { runId, reason })).toMatchObject({
      status: "cancelled",
      attention: "outcome_unknown",
    });
  });

  it("only asks the worker that is on the run, once", async () => {
    const runId = await aRun(db).runningAt("charge-payment");
    const run = await cancel(aDesk(db), { runId, reason });
    expect(run.status).toBe("running");
    expect(run.cancelRequestedAt).not.toBeNull();
    expect(await row(runId)).toMatchObject({ epoch: "1" });
    await expect(cancel(aDesk(db), { runId, reason })).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("ends a run whose request its lost worker has left, and no other worker may have the code", async () => {
    const runId = await aRun(db).runningAt("charge-payment");
    await cancel(aDesk(db), { runId, reason });
    await database.pool.query("update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 s'");
    await takeOverLostRuns(db);
    expect(await row(runId)).toMatchObject({ status: "pending", worker_id: null });
    const run = await cancel(aDesk(db), { runId, reason });
    expect(run).toMatchObject({ status: "cancelled", attention: "outcome_unknown" });
    expect(run.steps.find(({ name }) => name === "charge-payment")?.status).toBe("unknown");
    expect(await row(runId)).toMatchObject({ cancel_requested_at: null });
  });

  it.each([
    ["ended", () => aRun(db).completed(), "has ended"],
    ["being compensated", () => aRun(db).compensating(), "partly compensated"],
  ])("is refused once the run is %s", async (_, make, because) => {
    const runId = await make();
    await expect(cancel(aDesk(db), { runId, reason })).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining(because),
    });
  });
});
