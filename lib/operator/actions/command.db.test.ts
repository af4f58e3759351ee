import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Db, poolDb } from "../../store/db";
import { cancel, rerun, settleStep } from "../../testing/actions";
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

const reason = "the gateway is back";
const auditOf = async (runId: string) =>
  (await database.pool.query("select * from handrail.audit where run_id = $1 order by id", [runId])).rows;
const resultsOf = async (runId: string) => (await auditOf(runId)).map(({ act, result, code }) => [act, result, code]);

describe("every act", () => {
  it("writes one audit row with who, what, why, before and after", async () => {
    const runId = await aRun(db).waitingUnknown("charge-payment");
    await settleStep(aDesk(db, { actor: "mia", requestKey: "audit-1" }), {
      runId,
      step: "charge-payment",
      outcome: "happened",
      output: { id: "ch_9" },
      reference: "ch_9",
      reason: "seen in the gateway's ledger",
    });
    expect(await auditOf(runId)).toEqual([
      expect.objectContaining({
        actor: "mia",
        act: "settle",
        step: "charge-payment",
        reason: "seen in the gateway's ledger",
        request_key: "audit-1",
        before: {
          status: "waiting",
          attention: "outcome_unknown",
          generation: 1,
          revision: 0,
          step: { name: "charge-payment", status: "unknown", generation: 1, compensation: "none" },
        },
        after: {
          status: "pending",
          attention: null,
          generation: 1,
          revision: 1,
          outcome: "happened",
          reference: "ch_9",
          step: { name: "charge-payment", status: "completed", generation: 1, compensation: "none" },
        },
      }),
    ]);
    expect((await readRun(db, runId)).audit).toMatchObject([{ actor: "mia", act: "settle", runId }]);
  });

  it("is refused when the run is not as the person saw it, and only the audit tells of it", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    const { revision } = await readRun(db, runId);
    await rerun(aDesk(db), { runId, reason, revision });
    await expect(cancel(aDesk(db), { runId, reason, revision })).rejects.toMatchObject({
      code: "changed",
      details: { revision: revision + 1 },
    });
    expect(await resultsOf(runId)).toEqual([
      ["rerun", "done", null],
      ["cancel", "denied", "changed"],
    ]);
  });

  it("sent twice with one key is done once and answered alike", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    const desk = () => aDesk(db, { requestKey: "twice", asks: "rerun" });
    const [first, second] = await Promise.all([rerun(desk(), { runId, reason }), rerun(desk(), { runId, reason })]);
    expect(second).toEqual(first);
    expect(await rerun(desk(), { runId, reason })).toEqual(first);
    expect(await auditOf(runId)).toHaveLength(1);
    expect((await readRun(db, runId)).generation).toBe(2);
  });

  it("keeps an answer that holds what jsonb refuses", async () => {
    const error = JSON.stringify({ name: "Error", message: "bad byte \0 and \ud800 half a pair" });
    const runId = await aRun(db).like({ status: "failed", attention: "failed", error, steps: [] });
    const desk = () => aDesk(db, { requestKey: "hostile" });
    const first = await rerun(desk(), { runId, reason });
    expect(await rerun(desk(), { runId, reason })).toEqual(first);
  });

  it("refuses a key that was used for something else", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    await rerun(aDesk(db, { requestKey: "other", asks: "rerun" }), { runId, reason });
    await expect(cancel(aDesk(db, { requestKey: "other", asks: "cancel" }), { runId, reason })).rejects.toMatchObject({
      code: "idempotency_conflict",
    });
    expect((await readRun(db, runId)).status).toBe("pending");
  });

  it("does not keep a refusal: the same key works once the act is open", async () => {
    const runId = await aRun(db).completed();
    const desk = () => aDesk(db, { requestKey: "later", asks: "cancel" });
    await expect(cancel(desk(), { runId, reason })).rejects.toMatchObject({ code: "not_allowed" });
    await rerun(aDesk(db), { runId, fromStep: "charge-payment", reason });
    expect((await cancel(desk(), { runId, reason })).status).toBe("cancelled");
  });

  it("lets one of twenty operators win", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => rerun(aDesk(db, { actor: `operator-${index}` }), { runId, reason })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused).toHaveLength(19);
    for (const { reason: error } of refused) expect(error).toMatchObject({ code: "not_allowed" });
    expect(await readRun(db, runId)).toMatchObject({ status: "pending", generation: 2 });
    const results = await resultsOf(runId);
    expect(results.filter(([, result]) => result === "done")).toHaveLength(1);
    expect(results.filter(([, , code]) => code === "not_allowed")).toHaveLength(19);
  });
});
