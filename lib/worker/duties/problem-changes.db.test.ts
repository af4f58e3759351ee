import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { recordCompensation } from "../../store/compensations/compensate";
import { settleCompensations } from "../../store/compensations/settle-compensations";
import { reopenProblem, resolveProblem } from "../../store/problems/change-problem";
import { changeDueProblems } from "../../store/problems/due-changes";
import { cancel } from "../../store/runs/cancel";
import { lockRun } from "../../store/runs/lock-run";
import { endUnknownStep, goOnAfterSettling } from "../../store/steps/settle-step";
import { aProblemDatabase, REFUSED } from "../../testing/problems";
import { aRun } from "../../testing/rows/a-run";
import { keepProblems } from "./problem-loop";

const { db, rows, foldAllNow, problemsOf, failed, rerun, failsAgain } = aProblemDatabase();

const calmFor = (workflow: string, minutes: number) =>
  rows("update handrail.problem set calm_at = clock_timestamp() - $2::int * interval '1 minute' where workflow = $1", [
    workflow,
    minutes,
  ]);
const historyOf = async (workflow: string) =>
  rows("select what, text from handrail.problem_history where problem_id = $1 order by id", [
    (await problemsOf(workflow))[0]?.id,
  ]);

/** Its one run has left it, some minutes ago. */
async function aCalmProblem(workflow: string, minutes: number) {
  const [runId] = await failed(workflow, [REFUSED(1)]);
  await foldAllNow();
  await rerun(runId as string);
  await foldAllNow();
  await calmFor(workflow, minutes);
}

describe("a problem that no run has", () => {
  const statusOf = async (workflow: string) => {
    await changeDueProblems(db());
    return (await problemsOf(workflow)).map(({ status, calm_at }) => [status, calm_at !== null]);
  };

  it("is resolved ten minutes after the last run left it, and reopened by the next failure", async () => {
    const [runId] = await failed("calm", [REFUSED(1)]);
    await foldAllNow();
    expect(await statusOf("calm")).toEqual([["open", false]]);
    await rerun(runId as string);
    await foldAllNow();
    await calmFor("calm", 9);
    expect(await statusOf("calm")).toEqual([["open", true]]);
    await calmFor("calm", 10);
    expect(await statusOf("calm")).toEqual([["resolved", true]]);
    await failed("calm", [REFUSED(2)]);
    await foldAllNow();
    expect(await problemsOf("calm")).toMatchObject([{ status: "open", came_back: "resolved", calm_at: null }]);
    expect(await historyOf("calm")).toEqual([
      { what: "resolve", text: "No run has had it for 10 minutes." },
      { what: "came_back", text: "Failed again after it was resolved." },
    ]);
  });

  it("is not resolved for good by a failure that waits to be counted", async () => {
    await aCalmProblem("waits", 10);
    await failed("waits", [REFUSED(2)]);
    expect(await statusOf("waits")).toEqual([["resolved", true]]);
    await foldAllNow();
    expect(await problemsOf("waits")).toMatchObject([{ status: "open", open_runs: 1, came_back: "resolved" }]);
  });

  it("is looked at after what waits was counted", async () => {
    await aCalmProblem("counted", 10);
    const [runId] = await failed("counted", [REFUSED(2)]);
    const changed: string[] = [];
    await keepProblems(
      db(),
      () => false,
      (runIds) => changed.push(...runIds),
    );
    expect(changed).toEqual([runId]);
    expect(await problemsOf("counted")).toMatchObject([{ status: "open", open_runs: 1 }]);
    expect(await historyOf("counted")).toEqual([]);
  });

  it("begins its ten minutes anew with each failure, also one that was repaired before it was counted", async () => {
    const [first] = await failed("anew", [REFUSED(1)]);
    await rerun(first as string);
    await foldAllNow();
    await calmFor("anew", 60);
    const [second] = await failed("anew", [REFUSED(2)]);
    await rerun(second as string);
    await foldAllNow();
    expect(await statusOf("anew")).toEqual([["open", true]]);
  });

  it("stays open while a run has it, although a worker of an older version counted that run, and when a person reopened it", async () => {
    await failed("older", [REFUSED(1)]);
    await foldAllNow();
    await calmFor("older", 60);
    expect(await statusOf("older")).toEqual([["open", true]]);
    const [runId] = await failed("reopened", [REFUSED(1)]);
    await rerun(runId as string);
    await foldAllNow();
    await db().transaction(async (tx) => reopenProblem(tx, (await problemsOf("reopened"))[0]?.id as string));
    expect(await statusOf("reopened")).toEqual([["open", false]]);
  });

  it("is resolved once by two workers at once", async () => {
    const [runId] = await failed("twice", [REFUSED(1)]);
    await rerun(runId as string);
    await foldAllNow();
    await calmFor("twice", 11);
    const changed = await Promise.all([changeDueProblems(db()), changeDueProblems(db())]);
    expect(changed.flat()).toHaveLength(1);
    expect(await historyOf("twice")).toMatchObject([{ what: "resolve" }]);
  });
});

describe("a run", () => {
  it("that fails again under the version that was to mend its problem opens that again, and counts for this version", async () => {
    const [runId] = await failed("moved", [REFUSED(1)]);
    await foldAllNow();
    const [problem] = await problemsOf("moved");
    await db().transaction((tx) => resolveProblem(tx, problem?.id as string, 2));
    await rerun(runId as string);
    await rows("update handrail.run set code_version = 2 where id = $1", [runId]);
    await failsAgain(runId as string, REFUSED(2));
    await foldAllNow();
    expect(await problemsOf("moved")).toMatchObject([{ status: "open", came_back: "resolved", example_version: 2 }]);
    const versions = "select version, failures from handrail.problem_version where problem_id = $1 order by version";
    expect(await rows(versions, [problem?.id])).toEqual([
      { version: 1, failures: "1" },
      { version: 2, failures: "1" },
    ]);
  });

  it("that is deleted after it was repaired leaves no row", async () => {
    const [runId] = await failed("repaired", [REFUSED(1)]);
    await foldAllNow();
    await rerun(runId as string);
    await foldAllNow();
    await rows("delete from handrail.run where id = $1", [runId]);
    await foldAllNow();
    expect(await rows("select from handrail.problem_run where run_id = $1", [runId])).toEqual([]);
    expect(await problemsOf("repaired")).toMatchObject([{ failures: "1", open_runs: 0 }]);
  });

  it("that was deleted so before the migration leaves none either", async () => {
    const [kept, gone] = await failed("before", [REFUSED(1), REFUSED(2)]);
    await foldAllNow();
    for (const runId of [kept, gone]) await rerun(runId as string);
    await foldAllNow();
    await rows("alter table handrail.run disable trigger trouble_deleted");
    await rows("delete from handrail.run where id = $1", [gone]);
    await rows("alter table handrail.run enable trigger trouble_deleted");
    const migration = "../../../prisma/migrations/20261128220000_trouble_as_it_runs/migration.sql";
    await rows(await readFile(new URL(migration, import.meta.url), "utf8"));
    const [problem] = await problemsOf("before");
    expect(await rows("select run_id from handrail.problem_run where problem_id = $1", [problem?.id])).toEqual([
      { run_id: kept },
    ]);
  });
});

describe("a run that needs attention for more than one step", () => {
  /** Waits for a person since these steps are unknown. */
  async function inDoubt(workflow: string, steps: readonly string[]) {
    const runId = await aRun(db(), { workflow }).like({
      status: "waiting",
      waiting: { kind: "operator", step: steps[0] as string },
      steps: steps.map((name) => ({ name, effect: "once", status: "unknown" })),
    });
    await rows("update handrail.run set attention = 'outcome_unknown' where id = $1", [runId]);
    await foldAllNow();
    return runId;
  }
  const settle = async (runId: string, step: string) => {
    await db().transaction(async (tx) => {
      await lockRun(tx, runId);
      await endUnknownStep(tx, [runId, "step", step, 1], { status: "skipped", output: "null", reference: null });
      await goOnAfterSettling(tx, runId, { asking: false });
    });
    await foldAllNow();
  };
  const held = async (workflow: string) =>
    (await problemsOf(workflow)).map(({ step, open_runs, failures }) => ({ step, open_runs, failures }));
  const cancelled = async (runId: string) => {
    await db().transaction((tx) => cancel(tx, runId));
    await foldAllNow();
  };

  it.each([
    ["while it waits", async () => undefined],
    ["after it was cancelled, which is no failure", cancelled],
  ])("has the problem of the next one once the first is resolved, %s", async (when, change) => {
    const runId = await inDoubt(when, ["mail", "pay"]);
    await change(runId);
    expect(await held(when)).toEqual([{ step: "mail", open_runs: 1, failures: "1" }]);
    await settle(runId, "mail");
    expect(await held(when)).toEqual([
      { step: "mail", open_runs: 0, failures: "1" },
      { step: "pay", open_runs: 1, failures: "1" },
    ]);
    await settle(runId, "pay");
    expect((await held(when)).map(({ open_runs }) => open_runs)).toEqual([0, 0]);
  });

  it("stays in its problem, once, where the next one is alike, and when another one is resolved before it", async () => {
    const runId = await inDoubt("alike", ["send-1", "send-2", "send-3"]);
    await settle(runId, "send-1");
    await settle(runId, "send-3");
    expect(await held("alike")).toEqual([{ step: "send-<n>", open_runs: 1, failures: "1" }]);
  });

  it("leaves the problem of a failed compensation once that is recorded and the next one is manual", async () => {
    const runId = await aRun(db(), { workflow: "undo" }).like({
      status: "compensating",
      waiting: { kind: "operator", step: "charge" },
      steps: [
        { name: "create", status: "completed" },
        { name: "charge", status: "completed" },
      ],
      compensations: [
        { step: "create", mode: "manual", status: "owed" },
        { step: "charge", mode: "automatic", status: "failed", error: '{"name":"Error","message":"no refund"}' },
      ],
    });
    await rows("update handrail.run set attention = 'compensation_owed' where id = $1", [runId]);
    await foldAllNow();
    expect(await held("undo")).toEqual([{ step: "charge", open_runs: 1, failures: "1" }]);
    await db().transaction(async (tx) => {
      const outcome = { status: "completed", by: "ada", note: "by hand", reference: null, evidence: null } as const;
      await recordCompensation(tx, runId, "charge", outcome);
      await settleCompensations(tx, runId);
    });
    await foldAllNow();
    expect(await rows("select attention, waiting_step from handrail.run where id = $1", [runId])).toEqual([
      { attention: "compensation_owed", waiting_step: "create" },
    ]);
    expect(await held("undo")).toEqual([{ step: "charge", open_runs: 0, failures: "1" }]);
  });
});
