import { expect, it } from "vitest";
import type { PlannedAct } from "../../actions/actions";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { codeHere } from "../../engine/workflows/workflow-code";
import { AUDIT_RULES } from "../../store/audit/audit-rules";
import { examine } from "../../store/database/doctor";
import { cancel } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import type { OperationDesk } from "./carry-out-item";
import { executePlan } from "./execute-plan";
import { makePlan } from "./make-plan";
import { abortOperation, pauseOperation, resumeOperation } from "./operate";
import { readOperation, readOperations } from "./operation-view";
import { operationWorkflow } from "./operation-workflow";

/* An operation whose own run ended early is reported as stopped; resumed, it continues where it was. */

const engine = anEngine();
const reason = "the gateway is back";
const rerunAll: PlannedAct = { act: "rerun", params: {} };
const desk = () => aDesk(engine.db);
const code = codeHere([]);

async function anOperation(runs: number) {
  const runIds: string[] = [];
  for (let n = 0; n < runs; n++) runIds.push(await aRun(engine.db).failedBetweenSteps());
  const { id, hash } = await makePlan(desk(), rerunAll, { runIds });
  const pace = { ratePerSecond: 1_000, canary: 0 };
  const { body } = await executePlan(desk(), code, { planId: id, hash, reason, ...pace });
  return { operationId: body.id, runId: body.runId as string, runIds };
}

const carryingOut = (at?: OperationDesk["at"]) =>
  engine.worker([operationWorkflow({ ...desk(), code, ...(at && { at }) })]);
const read = (operationId: string) => readOperation(engine.db, operationId);
const untilCompleted = (operationId: string) =>
  until("the operation's end", async () => (await read(operationId)).status === "completed");

async function expectDoneOnce(runIds: readonly string[]): Promise<void> {
  const generations = await engine.rows("select distinct generation from handrail.run where id = any ($1)", [runIds]);
  expect(generations).toEqual([{ generation: 2 }]);
  const rule = AUDIT_RULES.filter(({ name }) => name === "Every repair generation was opened by an audited action");
  expect(await examine(engine.db, rule)).toMatchObject([{ hits: [] }]);
}

it("failed: it says so, in the list, too; a resume reruns its run, and the rest follows, each item once", async () => {
  const { operationId, runId, runIds } = await anOperation(6);
  let items = 0;
  await carryingOut((point) => {
    if (point === "operation:before-commit" && ++items === 4) throw new NonRetryableError("the code has a bug");
  });
  expect((await engine.untilEnded(runId)).run.status).toBe("failed");
  const stopped = { status: "paused", pausedBecause: expect.stringContaining("Its run failed."), counts: { done: 3 } };
  expect(await read(operationId)).toMatchObject(stopped);
  expect((await readOperations(engine.db, { limit: 1 })).operations).toMatchObject([{ id: operationId, ...stopped }]);
  await expect(pauseOperation(desk(), { operationId, reason })).rejects.toMatchObject({ code: "not_allowed" });
  const both = await Promise.allSettled([1, 2].map(() => resumeOperation(desk(), { operationId, reason })));
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await untilCompleted(operationId);
  expect((await read(operationId)).counts.done).toBe(6);
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", generation: 2 });
  await expectDoneOnce([runId, ...runIds]);
});

it("cancelled while it was paused: a resume reruns its run, which hears of it", async () => {
  const { operationId, runId, runIds } = await anOperation(3);
  await pauseOperation(desk(), { operationId, reason: "wait" });
  await carryingOut();
  await engine.untilRun(runId, ({ run }) => run.waiting_kind === "event", "the pause");
  await cancel(desk(), { runId, reason });
  await engine.untilEnded(runId);
  expect(await read(operationId)).toMatchObject({
    status: "paused",
    pausedBecause: expect.stringContaining("Its run was cancelled."),
  });
  expect(await resumeOperation(desk(), { operationId, reason })).toMatchObject({
    status: "running",
    pausedBecause: null,
  });
  await untilCompleted(operationId);
  await engine.untilEnded(runId);
  await expectDoneOnce([runId, ...runIds]);
});

it("cancelled before it began: an abort ends the operation, and its runs stay as they are", async () => {
  const { operationId, runId, runIds } = await anOperation(2);
  await cancel(desk(), { runId, reason });
  expect(await read(operationId)).toMatchObject({ status: "paused" });
  expect(await abortOperation(desk(), { operationId, reason })).toMatchObject({
    status: "aborted",
    pausedBecause: null,
  });
  const touched = await engine.rows("select from handrail.run where id = any ($1) and generation > 1", [runIds]);
  expect(touched).toEqual([]);
});

it("gone: only an abort is left", async () => {
  const { operationId, runId } = await anOperation(2);
  for (const part of ["run_tag", "run"])
    await engine.rows(`delete from handrail.${part} where ${part === "run" ? "id" : "run_id"} = $1`, [runId]);
  expect(await read(operationId)).toMatchObject({
    status: "paused",
    pausedBecause: expect.stringContaining("no longer exists"),
  });
  await expect(resumeOperation(desk(), { operationId, reason })).rejects.toMatchObject({
    code: "not_allowed",
    message: expect.stringContaining("Abort it"),
  });
  expect(await abortOperation(desk(), { operationId, reason })).toMatchObject({ status: "aborted" });
});
