import { afterAll, beforeAll, expect, it } from "vitest";
import { codeHere } from "../../engine/workflows/workflow-code";
import { carryOutNext } from "../../operator/operations/carry-out-item";
import { executePlan } from "../../operator/operations/execute-plan";
import { makePlan } from "../../operator/operations/make-plan";
import { readOperation, readOperations } from "../../operator/operations/operation-view";
import { operationWorkflow } from "../../operator/operations/operation-workflow";
import { readPlan } from "../../operator/operations/plan-view";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { RetentionWalk } from "../../worker/duties/retention";
import { examine } from "../database/doctor";
import { type Db, poolDb } from "../db";
import { registerWorkflows } from "../workers/workers";
import { deleteOldOperations } from "./old-operations";
import { OPERATION_RULES } from "./operation-rules";
import { PLAN_RULES } from "./plan-rules";
import { deleteUnusedPlans } from "./plans";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

const DAY = 86_400_000;
const code = codeHere([]);
const desk = () => ({ ...aDesk(db), code });
const keeping = (keepMs: number | null) => registerWorkflows(db, [operationWorkflow(desk(), keepMs)]);
const rows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

async function anOperation(runs: number, { endedDaysAgo }: { endedDaysAgo: number | null }) {
  const runIds: string[] = [];
  for (let n = 0; n < runs; n++) runIds.push(await aRun(db).pending());
  const plan = await makePlan(desk(), { act: "cancel", params: {} }, { runIds });
  const given = { planId: plan.id, hash: plan.hash, reason: "old", canary: 0 };
  const { body } = await executePlan(desk(), code, given);
  if (endedDaysAgo === null) {
    await rows("update handrail.operation set created_at = now() - interval '1 year' where id = $1", [body.id]);
    return { id: body.id, planId: plan.id };
  }
  if (body.runId !== null) while ((await carryOutNext(desk(), body.id)).next !== "end");
  const ago = "update handrail.operation set finished_at = clock_timestamp() - $2 * interval '1 day' where id = $1";
  await rows(ago, [body.id, endedDaysAgo]);
  return { id: body.id, planId: plan.id };
}

const hits = async () =>
  (await examine(db, [...OPERATION_RULES, ...PLAN_RULES])).flatMap(({ rule, hits: found }) =>
    found.length > 0 ? [rule.name] : [],
  );
const left = async (table: string, column: string) =>
  (await rows(`select distinct ${column}::text as id from handrail.${table} order by 1`)).map(({ id }) => id);

it("ended operations and their plans are deleted after 90 days, in small batches, and never shown in part; the audit log stays", async () => {
  await keeping(null);
  const [many, one] = [await anOperation(7, { endedDaysAgo: 91 }), await anOperation(1, { endedDaysAgo: 91 })];
  const [young, open] = [await anOperation(2, { endedDaysAgo: 89 }), await anOperation(2, { endedDaysAgo: null })];
  const audit = await rows("select count(*) from handrail.audit");
  for (let calls = 0; (await deleteOldOperations(db, 2)) + (await deleteUnusedPlans(db, 2)) > 0; calls++) {
    expect(calls).toBeLessThan(30);
    expect(await hits()).toEqual([]);
    for (const { id, planId } of [many, one]) {
      await expect(readOperation(db, id)).rejects.toMatchObject({ code: "unknown_operation" });
      await expect(readPlan(db, planId)).rejects.toMatchObject({ code: "unknown_plan" });
    }
    const { operations } = await readOperations(db, {});
    expect(operations.map(({ id }) => id).sort()).toEqual([young.id, open.id].sort());
  }
  const [ids, planIds] = [[young.id, open.id].sort(), [young.planId, open.planId].sort()];
  expect(await left("operation", "id")).toEqual(ids);
  expect(await left("operation_item", "operation_id")).toEqual([young.id]);
  expect(await left("plan", "id")).toEqual(planIds);
  expect(await left("plan_item", "plan_id")).toEqual(planIds);
  expect(await rows("select count(*) from handrail.audit")).toEqual(audit);
});

it("HANDRAIL_KEEP_DAYS sets the time, and concurrent workers delete each operation once", async () => {
  const { id } = await anOperation(30, { endedDaysAgo: 11 });
  await keeping(12 * DAY);
  await new RetentionWalk(db).step();
  expect(await readOperation(db, id)).toMatchObject({ status: "completed" });
  await keeping(10 * DAY);
  const sweep = async () => {
    const walk = new RetentionWalk(db);
    while ((await walk.step()).more);
  };
  await Promise.all([sweep(), sweep(), sweep()]);
  expect(await left("operation", "id")).not.toContain(id);
  expect(await left("operation_item", "operation_id")).not.toContain(id);
  expect(await hits()).toEqual([]);
});
