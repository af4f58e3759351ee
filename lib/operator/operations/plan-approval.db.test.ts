import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { PlannedAct } from "../../actions/actions";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { changePerson, savePerson } from "../../store/access/people";
import { examine } from "../../store/database/doctor";
import { type Db, poolDb } from "../../store/db";
import { registerWorkflows } from "../../store/workers/workers";
import { rerun } from "../../testing/actions";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { readRun } from "../runs/reads";
import { executePlan } from "./execute-plan";
import { makePlan } from "./make-plan";
import { answerApproval, requestApproval } from "./plan-approval";
import { readPlan } from "./plan-view";
import { readPlanApprovals } from "./read-plan-approvals";

let database: TestDatabase;
let db: Db;
const people = {} as Record<"ana" | "bob" | "cat", string>;
type Name = keyof typeof people;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
  const input = z.object({});
  await registerWorkflows(db, [
    defineWorkflow({ name: "guarded", input, fourEyes: ["rerun", "cancel"] }, async () => null),
    defineWorkflow({ name: "order-fulfilment", input }, async () => null),
  ]);
  for (const name of ["ana", "bob", "cat"] as const) {
    const grant = { role: "operator", payloadRead: false, workflows: null } as const;
    people[name] = await savePerson(db, { ...grant, id: uuidv7(), name, passwordHash: "$argon2id$never" });
  }
});
afterAll(() => database.drop());
afterEach(async () => {
  const broken = (await examine(db)).filter(({ hits }) => hits.length > 0).map(({ rule }) => rule.name);
  expect(broken.filter((rule) => rule.includes("second person"))).toEqual([]);
});

const reason = "the gateway is back";
const rerunAll: PlannedAct = { act: "rerun", params: {} };
const code = codeHere([]);
const desk = (name: string) => aDesk(db, { actor: name });
const rows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
const failed = (workflow = "guarded") => aRun(db, { workflow }).failedAt("charge-payment");

async function aPlan(runIds: string[], act = rerunAll) {
  const { id, hash } = await makePlan(desk("ana"), act, { runIds });
  return { planId: id, hash };
}
type OfPlan = Awaited<ReturnType<typeof aPlan>>;
const ask = (plan: OfPlan, name: Name = "ana") =>
  requestApproval(desk(name), { ...plan, reason, personId: people[name], signIn: true });
const answer = (plan: OfPlan, name: Name, outcome: "approved" | "rejected" = "approved") =>
  answerApproval(desk(name), { ...plan, outcome, reason: "looked at it", personId: people[name], signIn: true });
const execute = (plan: OfPlan, name: Name = "ana") => executePlan(desk(name), code, { ...plan, reason });
const lapse = ({ planId }: OfPlan) =>
  rows("update handrail.plan_approval set expires_at = clock_timestamp() where plan_id = $1", [planId]);

describe("a plan whose workflow demands a second person", () => {
  it("says so, is refused to one, and is carried out once somebody else has approved it, all of it audited", async () => {
    const runId = await failed();
    const plan = await aPlan([runId, await failed("order-fulfilment")]);
    const view = await readPlan(db, plan.planId);
    expect(view.counts.secondPerson).toEqual({ runs: 1, workflows: ["guarded"] });
    expect(new Set(view.items.map(({ secondPerson }) => secondPerson))).toEqual(new Set(["rerun", null]));
    await expect(execute(plan)).rejects.toMatchObject({
      code: "approval_required",
      message: expect.stringContaining('second person in "guarded". Ask for an approval'),
    });
    expect(await ask(plan)).toMatchObject({ status: "open", proposer: "ana", reason });
    await expect(execute(plan)).rejects.toMatchObject({ message: expect.stringContaining("Nobody has approved") });
    const { planApprovals } = await readPlanApprovals(db, {});
    expect(planApprovals).toMatchObject([{ planId: plan.planId, act: "rerun", approval: { proposer: "ana" } }]);
    expect(await answer(plan, "bob")).toMatchObject({ status: "approved", approver: "bob" });
    expect((await readPlanApprovals(db, {})).planApprovals).toMatchObject([{ approval: { status: "approved" } }]);
    await execute(plan);
    expect((await readPlanApprovals(db, {})).planApprovals).toEqual([]);
    expect((await readPlan(db, plan.planId)).approval).toMatchObject({ status: "used", approver: "bob" });
    expect(
      await rows("select actor, act, result from handrail.audit where plan_id = $1 order by id", [plan.planId]),
    ).toEqual([
      { actor: "ana", act: "execute_plan", result: "denied" },
      { actor: "ana", act: "request_approval", result: "done" },
      { actor: "ana", act: "execute_plan", result: "denied" },
      { actor: "bob", act: "approve_plan", result: "done" },
      { actor: "ana", act: "execute_plan", result: "done" },
    ]);
  });

  it("of one run is carried out in the request, with the yes used up", async () => {
    const runId = await failed();
    const plan = await aPlan([runId]);
    await ask(plan);
    await answer(plan, "bob");
    expect((await execute(plan)).body.item).toMatchObject({ runId, outcome: "done" });
    expect((await readPlan(db, plan.planId)).approval?.status).toBe("used");
  });

  it("is not asked about where one may do it alone", async () => {
    const plan = await aPlan([await failed("order-fulfilment")]);
    await expect(ask(plan)).rejects.toMatchObject({ message: "One person may carry this plan out." });
    expect((await execute(plan)).body.item).toMatchObject({ outcome: "done" });
  });
});

describe("one person alone", () => {
  it("does it to no single run either; the refusal is on record", async () => {
    const runId = await failed();
    await expect(rerun(desk("ana"), { runId, reason })).rejects.toMatchObject({
      code: "approval_required",
      message: expect.stringContaining("Plan it"),
      details: { act: "rerun", workflow: "guarded" },
    });
    expect(await readRun(db, runId)).toMatchObject({ status: "failed", revision: 0 });
    expect(await rows("select act, result, code from handrail.audit where run_id = $1", [runId])).toEqual([
      { act: "rerun", result: "denied", code: "approval_required" },
    ]);
  });

  it("does not approve what they proposed: the rule refuses it, and so does the database", async () => {
    const plan = await aPlan([await failed()]);
    await ask(plan);
    await expect(answer(plan, "ana")).rejects.toMatchObject({ message: expect.stringContaining("someone else") });
    const forge = `update handrail.plan_approval set status = 'approved', approver_id = $2, approver = $3, note = 'n',
      answered_at = now() where plan_id = $1`;
    for (const forged of [
      [people.ana, "a-puppet"],
      [people.bob, "ana"],
    ])
      await expect(rows(forge, [plan.planId, ...forged])).rejects.toThrow("plan_approval_second_person");
    await expect(execute(plan)).rejects.toMatchObject({ code: "approval_required" });
  });

  it("is everybody where nobody signs in, and so is a token", async () => {
    const plan = await aPlan([await failed()]);
    const asking = { ...plan, reason, personId: null };
    await expect(requestApproval(desk("operator"), { ...asking, signIn: false })).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining("Turn on sign-in (HANDRAIL_SIGN_IN=on)"),
    });
    await expect(requestApproval(desk("a token"), { ...asking, signIn: true })).rejects.toMatchObject({
      message: expect.stringContaining("a token is nobody's eyes"),
    });
    await ask(plan);
    const yes = { ...asking, outcome: "approved", signIn: true } as const;
    await expect(answerApproval(desk("a token"), yes)).rejects.toMatchObject({ code: "not_allowed" });
  });
});

describe("a yes", () => {
  it("is given by one of two who answer at once; the other gets the name of the first", async () => {
    const plan = await aPlan([await failed()]);
    await ask(plan);
    const both = await Promise.allSettled([answer(plan, "bob"), answer(plan, "cat", "rejected")]);
    const lost = both.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(lost.reason).toMatchObject({ code: "not_allowed", message: expect.stringMatching(/(bob|cat) has/) });
    const { approval } = await readPlan(db, plan.planId);
    expect(approval).toMatchObject(
      both[0]?.status === "fulfilled"
        ? { status: "approved", approver: "bob" }
        : { status: "rejected", approver: "cat" },
    );
  });

  it("is used by one of two executions at once", async () => {
    const runId = await failed();
    const plan = await aPlan([runId]);
    await ask(plan);
    await answer(plan, "bob");
    const both = await Promise.allSettled([execute(plan, "ana"), execute(plan, "cat")]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "plan_changed" } });
    expect(await readRun(db, runId)).toMatchObject({ generation: 2 });
    await expect(ask(plan)).rejects.toMatchObject({ code: "plan_changed" });
  });

  it("lasts an hour; then another one is asked for", async () => {
    const plan = await aPlan([await failed()]);
    await ask(plan);
    const { expiresAt } = await answer(plan, "bob");
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(3_500_000);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(3_700_000);
    await lapse(plan);
    await expect(execute(plan)).rejects.toMatchObject({ message: expect.stringContaining("has expired") });
    await ask(plan, "bob");
    await expect(execute(plan)).rejects.toMatchObject({ message: expect.stringContaining("Nobody has approved") });
    await answer(plan, "ana");
    expect((await execute(plan)).body.item).toMatchObject({ outcome: "done" });
  });

  it("lasts an hour also in the last one of its plan, which is kept as long", async () => {
    const plan = await aPlan([await failed()]);
    await ask(plan);
    const inAMinute = "update handrail.plan set expires_at = clock_timestamp() + interval '1 minute' where id = $1";
    await rows(inAMinute, [plan.planId]);
    const { expiresAt } = await answer(plan, "bob");
    expect((await readPlan(db, plan.planId)).expiresAt).toBe(expiresAt);
  });

  it("is not given to a request that has expired, nor to another plan than was seen", async () => {
    const plan = await aPlan([await failed()]);
    await ask(plan);
    await expect(answer({ ...plan, hash: "0".repeat(64) }, "bob")).rejects.toMatchObject({ code: "plan_changed" });
    await lapse(plan);
    await expect(answer(plan, "bob")).rejects.toMatchObject({ message: expect.stringContaining("expired") });
    const { planApprovals } = await readPlanApprovals(db, {});
    expect(planApprovals.map(({ planId }) => planId)).not.toContain(plan.planId);
  });

  it("does not count for a run that has moved since: it is left alone", async () => {
    const [moved, still] = [await failed(), await failed()];
    const plan = await aPlan([moved, still]);
    await ask(plan);
    await answer(plan, "bob");
    await rows("update handrail.run set revision = revision + 1 where id = $1", [moved]);
    const { carryOutNext } = await import("./carry-out-item");
    const { body } = await execute(plan);
    while ((await carryOutNext({ ...desk("ana"), code }, body.id)).next === "item");
    const outcomes = await rows("select run_id, outcome from handrail.operation_item where operation_id = $1", [
      body.id,
    ]);
    expect(Object.fromEntries(outcomes.map(({ run_id, outcome }) => [run_id, outcome]))).toEqual({
      [moved]: "changed",
      [still]: "done",
    });
  });

  it("does not count any more when who gave it may not approve any more", async () => {
    const plan = await aPlan([await failed()]);
    await ask(plan);
    await answer(plan, "bob");
    const bob = { payloadRead: false, workflows: null, disabled: false } as const;
    const to = (change: object) => changePerson(db, people.bob, { ...bob, role: "operator", ...change });
    for (const change of [{ role: "viewer" }, { disabled: true }, { workflows: ["another"] }]) {
      await to(change);
      await expect(execute(plan), JSON.stringify(change)).rejects.toMatchObject({
        code: "approval_required",
        message: expect.stringContaining("bob may not approve plans any more"),
      });
    }
    await to({});
    expect((await execute(plan)).body.item).toMatchObject({ outcome: "done" });
  });

  it("is final for its plan: a rejected plan does not run, until approval is requested again", async () => {
    const plan = await aPlan([await failed()]);
    await ask(plan);
    await answer(plan, "bob", "rejected");
    await expect(execute(plan)).rejects.toMatchObject({ message: expect.stringContaining("bob has rejected") });
    await expect(answer(plan, "cat")).rejects.toMatchObject({ message: "bob has rejected this plan." });
    expect(await ask(plan, "cat")).toMatchObject({ status: "open", proposer: "cat", approver: null });
    expect(await answer(plan, "ana")).toMatchObject({ status: "approved" });
  });
});

it("a demand that is made after the plan keeps its items from running", async () => {
  const workflow = "later-guarded";
  const input = z.object({});
  await registerWorkflows(db, [defineWorkflow({ name: workflow, input }, async () => null)]);
  const plan = await aPlan([await failed(workflow)]);
  await registerWorkflows(db, [defineWorkflow({ name: workflow, input, fourEyes: ["rerun"] }, async () => null)]);
  expect((await execute(plan)).body.item).toMatchObject({
    outcome: "changed",
    because: expect.stringContaining("second"),
  });
});

it("goes with its plan", async () => {
  const plan = await aPlan([await failed()]);
  await ask(plan);
  await rows("delete from handrail.plan where id = $1", [plan.planId]);
  expect(await rows("select 1 from handrail.plan_approval where plan_id = $1", [plan.planId])).toEqual([]);
  await rows("delete from handrail.plan_item where plan_id = $1", [plan.planId]);
});
