import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlannedAct } from "../../actions/actions";
import { codeHere } from "../../engine/workflows/workflow-code";
import { examine } from "../../store/database/doctor";
import { type Db, poolDb } from "../../store/db";
import { cancel, compensate, rerun } from "../../testing/actions";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { readRun } from "../runs/reads";
import { executePlan } from "./execute-plan";
import { makePlan } from "./make-plan";
import { readPlan } from "./plan-view";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

const reason = "the gateway is back";
const desk = (requestKey?: string) => aDesk(db, requestKey === undefined ? {} : { requestKey });
const code = codeHere([]);
const rerunIt: PlannedAct = { act: "rerun", params: {} };
const rows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

async function aPlan(act: PlannedAct, ...runIds: string[]) {
  const { id, hash } = await makePlan(desk(), act, { runIds });
  return { planId: id, hash, reason };
}

const auditOf = (runId: string) =>
  rows("select act, result, code, plan_id, reason, request_key from handrail.audit where run_id = $1 order by id", [
    runId,
  ]);

describe("a plan that touches one run is carried out in the request itself, while no worker is there", () => {
  it("with its operation, ended at once, and the act's own row in the audit", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    const plan = await aPlan(rerunIt, runId);
    const { status, body } = await executePlan(desk("one"), code, plan);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      planId: plan.planId,
      runId: null,
      status: "completed",
      counts: { total: 1, done: 1 },
      finishedAt: expect.any(String),
      item: { runId, outcome: "done", because: null },
    });
    expect(await readRun(db, runId)).toMatchObject({ status: "pending", generation: 2 });
    expect(await auditOf(runId)).toEqual([
      { act: "rerun", result: "done", code: null, plan_id: plan.planId, reason, request_key: "one" },
    ]);
    expect(await executePlan(desk("one"), code, plan)).toEqual({ status, body });
    expect((await readPlan(db, plan.planId)).executedAt).not.toBeNull();
    expect(await rows("select 1 from handrail.run where workflow = 'handrail.operation'")).toEqual([]);
  });

  it("also where it leaves others out", async () => {
    const [failed, pending] = [await aRun(db).failedAt("charge-payment"), await aRun(db).pending()];
    const { body } = await executePlan(desk(), code, await aPlan(rerunIt, failed, pending));
    expect(body.item).toMatchObject({ runId: failed, outcome: "done" });
    expect(await readRun(db, pending)).toMatchObject({ revision: 0 });
  });

  it("by one of two at once", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    const plan = await aPlan(rerunIt, runId);
    const both = await Promise.allSettled([executePlan(desk("a"), code, plan), executePlan(desk("b"), code, plan)]);
    const [won] = both.flatMap((one) => (one.status === "fulfilled" ? [one.value.body] : []));
    const [lost] = both.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(lost).toMatchObject({ code: "plan_changed", details: { operationId: won?.id } });
    expect(await readRun(db, runId)).toMatchObject({ generation: 2, revision: 1 });
  });
});

describe("what the run has done meanwhile is judged under its lock, and the run is left alone", () => {
  it.each([
    ["already", (runId: string) => rerun(desk(), { runId, reason }), "Already done", "changed"],
    ["not_eligible", (runId: string) => compensate(desk(), { runId, reason }), "being compensated", "not_allowed"],
    [
      "changed",
      (runId: string) =>
        rows("update handrail.run set revision = revision + 1, failed_step = null where id = $1", [runId]),
      "has changed",
      "changed",
    ],
  ] as const)("%s", async (outcome, meanwhile, because, refusal) => {
    const runId = await aRun(db).failedAt("charge-payment");
    const plan = await aPlan(rerunIt, runId);
    await meanwhile(runId);
    const { revision } = await readRun(db, runId);
    const { status, body } = await executePlan(desk(outcome), code, plan);
    expect([status, body.status]).toEqual([200, "completed"]);
    expect(body.item).toMatchObject({ outcome, because: expect.stringContaining(because) });
    expect((await readRun(db, runId)).revision).toBe(revision);
    expect((await auditOf(runId)).at(-1)).toMatchObject({
      act: "rerun",
      result: "denied",
      code: refusal,
      plan_id: plan.planId,
    });
  });

  it("failed, when the act was open and could not be done", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    const plan = await aPlan(rerunIt, runId);
    await rows(
      `create function public.refuse_rerun() returns trigger language plpgsql as $$ begin
         if new.id = '${runId}' and new.generation > 1 then raise exception using errcode = '23514', message = 'no'; end if;
         return new; end $$`,
    );
    await rows(
      "create trigger refuse_rerun before update on handrail.run for each row execute function public.refuse_rerun()",
    );
    const { body } = await executePlan(desk(), code, plan);
    await rows("drop function public.refuse_rerun cascade");
    expect(body.item).toMatchObject({ outcome: "failed", because: "The database refused it." });
    expect(body.counts).toMatchObject({ done: 0, failed: 1 });
    expect(await readRun(db, runId)).toMatchObject({ status: "failed", revision: 0 });
    expect(await auditOf(runId)).toMatchObject([{ act: "rerun", result: "failed", code: "internal" }]);
  });
});

it("a plan that leaves its one run out says why, in the words of the rule", async () => {
  const runId = await aRun(db).completed();
  await expect(executePlan(desk(), code, await aPlan({ act: "cancel", params: {} }, runId))).rejects.toMatchObject({
    code: "not_allowed",
    message: "The run has ended (completed).",
  });
});

it("two acts on one run at once take turns: the second one finds what the first one did", async () => {
  const runId = await aRun(db).asleepAfter("charge-payment");
  const plan = await aPlan({ act: "cancel", params: {} }, runId);
  const [planned, single] = await Promise.allSettled([
    executePlan(desk(), code, plan),
    cancel(desk(), { runId, reason }),
  ]);
  const outcome = planned.status === "fulfilled" ? planned.value.body.item?.outcome : undefined;
  expect(single.status).toBe(outcome === "done" ? "rejected" : "fulfilled");
  expect(["done", "already"]).toContain(outcome);
  expect(await readRun(db, runId)).toMatchObject({ status: "cancelled", revision: 1 });
});

it("the doctor finds no fault with what was carried out", async () => {
  const broken = (await examine(db)).filter(
    ({ rule, hits }) => /operation|item|plan/i.test(rule.name) && hits.length > 0,
  );
  expect(broken).toEqual([]);
});
