import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeHere } from "../../engine/workflows/workflow-code";
import { poolDb } from "../../store/db";
import { PARTS_OF_A_RUN } from "../../store/runs/retention";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { verifyAudit } from "../audit/verify-audit";
import { executePlan } from "../operations/execute-plan";
import { makePlan } from "../operations/make-plan";
import { carryOutDeletion } from "./command";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
const engine = {
  get db() {
    return poolDb(database.pool);
  },
  rows: async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows,
};
const reason = "a test with real data";
const code = codeHere([]);
const DAY = 86_400_000;

/** Long enough ago for the charts. */
const past = (days = 2) => {
  const createdAt = new Date(Date.now() - days * DAY);
  return aRun(engine.db, { id: uuidv7({ msecs: createdAt.getTime() }), createdAt, tags: { order: "A-17" } });
};
const remove = (runId: string, requestKey?: string) =>
  carryOutDeletion(
    { ...aDesk(engine.db, { actor: "mia", ...(requestKey && { requestKey }) }), code },
    { runId, reason },
  );
const refusal = (runId: string) => remove(runId).catch(({ code, message }) => [code, message].join(": "));
const childOf = (parent: string, child: string) =>
  engine.rows(
    "update handrail.run set parent_run_id = $1, parent_step = 'child', parent_key_generation = 1 where id = $2",
    [parent, child],
  );
const auditOf = (runId: string) =>
  engine.rows("select act, actor, reason, result, before, after from handrail.audit where run_id = $1 order by id", [
    runId,
  ]);
const isThere = async (id: string) => (await engine.rows("select from handrail.run where id = $1", [id])).length > 0;

describe("a deletion that an operator asks for", () => {
  it("removes an ended run with its descendants and all of their rows; the audit log says so of each, and holds", async () => {
    const [root, child] = [await past().completed(), await past().failedAt("charge-payment")];
    await childOf(root, child);
    expect(await remove(root)).toEqual({ runId: root, deleted: 2 });
    for (const part of [...PARTS_OF_A_RUN, "event", "firing"])
      expect(await engine.rows(`select from handrail.${part} where run_id = any ($1)`, [[root, child]]), part).toEqual(
        [],
      );
    expect(await auditOf(root)).toMatchObject([
      { act: "delete", actor: "mia", reason, before: { status: "completed" }, after: { deleted: true, runs: 2 } },
    ]);
    expect(await auditOf(child)).toMatchObject([
      { act: "delete", reason: `Deleted with its ancestor ${root}: ${reason}`, before: { status: "failed" } },
    ]);
    expect(await verifyAudit(engine.db, TEST_AUDIT_KEYS)).toMatchObject({ fault: null });
  });

  it("answers a repeated request as the first time", async () => {
    const run = await past().completed();
    const first = await remove(run, "delete-once");
    expect(await remove(run, "delete-once")).toEqual(first);
    expect(await auditOf(run)).toHaveLength(1);
    expect(await refusal(run)).toContain("unknown_run");
  });

  it("is refused while the run, or a descendant, has not ended, and says what to do first", async () => {
    expect(await refusal(await past().pending())).toContain("not_allowed: The run has not ended. Cancel it first.");
    expect(await refusal(await past().compensating())).toContain("being compensated");
    const [root, child] = [await past().completed(), await past().asleepAfter("create-order")];
    await childOf(root, child);
    expect(await refusal(root)).toBe(`not_allowed: Its descendant ${child} has not ended. Cancel it first.`);
    expect([await isThere(root), await isThere(child)]).toEqual([true, true]);
    expect(await auditOf(root)).toMatchObject([{ act: "delete", result: "denied" }]);
  });

  it("is refused while somebody needs the run", async () => {
    expect(await refusal(await past().cancelledWithUnknown("charge-payment"))).toContain("Resolve it first");
    expect(await refusal(await past(0).completed())).toContain("the charts have not counted it yet");
    const [parent, child] = [await past().completed(), await past().completed()];
    await childOf(parent, child);
    expect(await refusal(child)).toContain(`is a child of ${parent}`);
  });

  it("is open once the charts have counted the run's end, though none comes after it", async () => {
    const [first, last] = [await past(0).completed(), await past(0).completed()].sort() as [string, string];
    await engine.rows("update handrail.run set finished_at = now() where id = any ($1::uuid[])", [[first, last]]);
    await engine.rows(
      "update handrail.rollup_fold set (ended_at, ended_id) = (select finished_at, id from handrail.run where id = $1)",
      [first],
    );
    expect(await refusal(last)).toContain("the charts have not counted it yet");
    await remove(first);
    expect([await isThere(first), await isThere(last)]).toEqual([false, true]);
  });

  it("waits for nobody: a descendant that somebody holds keeps all", async () => {
    const [root, child] = [await past().completed(), await past().completed()];
    await childOf(root, child);
    const holder = await database.pool.connect();
    try {
      await holder.query("begin");
      await holder.query("select from handrail.run where id = $1 for update", [child]);
      expect(await refusal(root)).toContain("is being changed at this moment");
    } finally {
      holder.release(true);
    }
    expect(await isThere(root)).toBe(true);
  });

  it("of two at once, one deletes and the other finds no run", async () => {
    const run = await past().completed();
    const outcomes = await Promise.allSettled([remove(run), remove(run)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await auditOf(run)).toHaveLength(1);
  });

  it("takes a second person where the workflow's code says so, and goes by a plan", async () => {
    const [guarded, free] = [await past().completed(), await past().completed()];
    await engine.rows("update handrail.run set workflow = 'guarded' where id = $1", [guarded]);
    await engine.rows(
      "insert into handrail.workflow (name, version, title, four_eyes) values ('guarded', 1, 'Guarded', '{delete}')",
    );
    expect(await refusal(guarded)).toContain("approval_required: Deleting a run takes a second person");
    const plan = await makePlan(aDesk(engine.db), { act: "delete", params: {} }, { runIds: [free, guarded] });
    expect(plan.counts).toMatchObject({ included: 2, secondPerson: { runs: 1, workflows: ["guarded"] } });
    const alone = await makePlan(aDesk(engine.db), { act: "delete", params: {} }, { runIds: [free] });
    const given = { planId: alone.id, hash: alone.hash, reason, ratePerSecond: 10, canary: 0 };
    expect((await executePlan(aDesk(engine.db), code, given)).body).toMatchObject({ item: { outcome: "done" } });
    expect([await isThere(free), await isThere(guarded)]).toEqual([false, true]);
  });
});
