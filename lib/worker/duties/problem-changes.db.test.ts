import { describe, expect, it } from "vitest";
import { reopenProblem } from "../../store/problems/change-problem";
import { changeDueProblems } from "../../store/problems/due-changes";
import { aProblemDatabase, REFUSED } from "../../testing/problems";
import { keepProblems } from "./problem-loop";

const { db, rows, foldAllNow, problemsOf, failed, rerun } = aProblemDatabase();

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
