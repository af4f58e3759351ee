import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { savePerson } from "../../store/access/people";
import { type Db, poolDb } from "../../store/db";
import { type Assigning, assign, compensate, markCompensated } from "../../testing/actions";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { readAssignees } from "../compensations/read-assignees";
import { readRun } from "../runs/reads";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

const step = "send-confirmation";
const give = (runId: string, given: Partial<Assigning> & Pick<Assigning, "assignee" | "insteadOf">, actor = "mia") =>
  assign(aDesk(db, { actor }), { runId, step, signIn: false, inDemo: false, ...given });
const undoOf = async (runId: string) =>
  (await readRun(db, runId)).steps.find(({ name }) => name === step)?.compensation;
const audit = async (runId: string) =>
  (
    await database.pool.query(
      "select actor, act, result, before, after from handrail.audit where run_id = $1 order by id",
      [runId],
    )
  ).rows;

const person = (name: string, role: "viewer" | "operator", workflows: string[] | null = null) =>
  savePerson(db, {
    ...{ id: uuidv7(), name, role, workflows, payloadRead: false },
    passwordHash: "$argon2id$never-signs-in",
  });

describe("a compensation", () => {
  it("is taken, handed on and given back, each with its row in the audit; nothing that is decided on changes", async () => {
    const runId = await aRun(db).compensating();
    const { revision, summary } = await readRun(db, runId);
    expect(summary).toContain("must be compensated manually.");
    await give(runId, { assignee: "mia", insteadOf: null });
    expect(await undoOf(runId)).toMatchObject({ status: "owed", assignee: "mia", assignedBy: "mia" });
    expect(await readRun(db, runId)).toMatchObject({ revision, summary: expect.stringContaining("assigned to mia.") });
    await give(runId, { assignee: "tom", insteadOf: "mia" });
    expect(await undoOf(runId)).toMatchObject({ assignee: "tom", assignedBy: "mia" });
    await give(runId, { assignee: null, insteadOf: "tom" }, "tom");
    expect(await undoOf(runId)).toMatchObject({ assignee: null, assignedBy: null, assignedAt: null });
    expect((await audit(runId)).map(({ actor, after }) => [actor, after.assignee])).toEqual([
      ["mia", "mia"],
      ["mia", "tom"],
      ["tom", null],
    ]);
  });

  it("is assigned to one of two who take it at once; the other gets the name of the first", async () => {
    const runId = await aRun(db).compensating();
    const both = await Promise.allSettled(
      ["mia", "tom"].map((name) => give(runId, { assignee: name, insteadOf: null }, name)),
    );
    const won = both[0]?.status === "fulfilled" ? "mia" : "tom";
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: {
        code: "changed",
        message: expect.stringContaining(`${won} has this compensation`),
        details: { assignee: won },
      },
    });
    expect((await undoOf(runId))?.assignee).toBe(won);
    expect((await audit(runId)).map(({ result }) => result)).toEqual(["done", "denied"]);
  });

  it("that was resolved cannot be assigned, and keeps the name of its assignee", async () => {
    const runId = await aRun(db).compensating();
    await give(runId, { assignee: "mia", insteadOf: null });
    const given = { outcome: "compensated", note: "wrote to them", evidence: "https://tickets.example/T-1" } as const;
    await markCompensated(aDesk(db), { runId, step, ...given });
    expect(await undoOf(runId)).toMatchObject({ assignee: "mia", evidence: "https://tickets.example/T-1" });
    await expect(give(runId, { assignee: "tom", insteadOf: "mia" })).rejects.toMatchObject({
      code: "not_allowed",
      message: "This compensation is already resolved (completed).",
    });
  });

  it("keeps its assignee when its code tries again", async () => {
    const runId = await aRun(db).failedToCompensate();
    await give(runId, { step: "charge-payment", assignee: "mia", insteadOf: null });
    const run = await compensate(aDesk(db), { runId, reason: "the gateway is back" });
    expect(run.steps[1]?.compensation).toMatchObject({ status: "owed", assignee: "mia" });
  });

  it("takes no evidence but an http address, also in the database", async () => {
    const runId = await aRun(db).compensating();
    const update = "update handrail.compensation set evidence = $2 where run_id = $1";
    for (const address of ["javascript:alert(1)", " https://a.example", "data:text/html,x", "//a.example"])
      await expect(database.pool.query(update, [runId, address])).rejects.toThrow("compensation_evidence");
  });
});

describe("where people sign in", () => {
  beforeAll(async () => {
    await person("ana", "operator");
    await person("vic", "viewer");
    await person("far", "operator", ["another-workflow"]);
    const gone = await person("gone", "operator");
    await database.pool.query("update handrail.person set disabled_at = now() where id = $1", [gone]);
  });

  it("a compensation is assigned only to users who can record compensations of its workflow", async () => {
    const runId = await aRun(db).compensating();
    const to = (assignee: string) => give(runId, { assignee, insteadOf: null, signIn: true });
    await expect(to("nobody-here")).rejects.toMatchObject({ code: "not_allowed" });
    await expect(to("gone")).rejects.toMatchObject({ message: "No user with this name can sign in." });
    await expect(to("vic")).rejects.toMatchObject({ message: expect.stringContaining("vic may not record") });
    await expect(to("far")).rejects.toMatchObject({ message: expect.stringContaining("far may not record") });
    await to("Ana");
    expect((await undoOf(runId))?.assignee).toBe("ana");
    expect(await readAssignees(db, "order-fulfilment", false)).toEqual(["ana"]);
    expect(await readAssignees(db, "another-workflow", false)).toEqual(["ana", "far"]);
  });
});
