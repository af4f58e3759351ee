import { expect, it, onTestFinished } from "vitest";
import type { PlannedAct } from "../../actions/actions";
import { ITEM_POINTS } from "../../engine/operations/operation";
import { codeHere } from "../../engine/workflows/workflow-code";
import { aDesk } from "../../testing/desk";
import { ChildWorker, type Fault } from "../../testing/processes/crash";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { createLedger, LEDGER_WORKFLOWS } from "../../testing/workflows/ledger";
import { oneBusyLine } from "../../testing/workflows/ledger-workflows";
import { executePlan } from "./execute-plan";
import { makePlan } from "./make-plan";
import { pauseOperation, resumeOperation } from "./operate";
import { readOperation } from "./operation-view";

/*
 * An operation starts 20 runs again; each of their bodies writes a line into a separate table outside the engine. The
 * worker that carries the items out is killed in the middle of one: by that table, each run is started again once.
 */

const engine = anEngine();
const RUNS = 20;
const reason = "once more";
const startAgain: PlannedAct = { act: "start_again", params: {} };
const desk = () => aDesk(engine.db);
const code = codeHere([oneBusyLine]);
const counted = async (text: string, values: unknown[] = []) => Number((await engine.rows(text, values))[0]?.count);

async function aWorker(fault?: Fault): Promise<ChildWorker> {
  const setup = { workflows: LEDGER_WORKFLOWS, leaseMs: 20_000, ...(fault && { fault }) };
  const worker = ChildWorker.spawn(engine.database, setup);
  onTestFinished(() => worker.kill());
  return worker;
}

async function endedRuns(): Promise<string[]> {
  await engine.rows("drop table if exists ledger, ended_process");
  await createLedger(engine.database.pool);
  const runIds: string[] = [];
  for (let n = 0; n < RUNS; n++) runIds.push(await engine.start(oneBusyLine, { n }));
  return runIds;
}

/** Of the runs and their replacements. */
const bodies = (runIds: readonly string[]) =>
  counted(
    `select count(distinct run_id) from ledger where run_id = any ($1)
       or run_id in (select run_id from handrail.new_run where from_run_id = any ($1))`,
    [runIds],
  );

it.each(ITEM_POINTS)("a worker that is killed at %s leaves each item to be done once", async (point) => {
  const runIds = await endedRuns();
  const victim = await aWorker({ point, passage: 7 });
  await until("the first runs' end", async () => (await bodies(runIds)) === RUNS);
  for (const runId of runIds) await engine.untilEnded(runId);

  const { id: planId, hash } = await makePlan(desk(), startAgain, { runIds });
  const given = { planId, hash, reason, ratePerSecond: 1_000, canary: 0 };
  const { body } = await executePlan(desk(), code, given);
  const operationId = body.id;
  expect(await victim.untilEnded()).toBe("SIGKILL");
  // Before the commit, the seventh item has left nothing: neither its action nor its outcome.
  const done = point === "operation:after-commit" ? 7 : 6;
  expect((await readOperation(engine.db, operationId)).counts).toMatchObject({ total: RUNS, done });
  const started = "select count(*) from handrail.new_run where from_run_id = any ($1)";
  expect(await counted(started, [runIds])).toBe(done);

  // An operator pauses it while no worker is alive, and resumes it under the next worker.
  await pauseOperation(desk(), { operationId, reason: "what was that?" });
  await engine.endLeases();
  await aWorker();
  await engine.untilRun(body.runId as string, ({ run }) => run.waiting_kind === "event", "the pause");
  expect((await readOperation(engine.db, operationId)).counts.done).toBe(done);
  await resumeOperation(desk(), { operationId, reason });
  await until("the operation's end", async () => (await readOperation(engine.db, operationId)).status === "completed");
  await until("the last body", async () => (await bodies(runIds)) === 2 * RUNS);
  for (const { run_id } of await engine.rows<{ run_id: string }>("select distinct run_id from ledger"))
    await engine.untilEnded(run_id);

  expect((await readOperation(engine.db, operationId)).counts).toMatchObject({ done: RUNS, failed: 0 });
  expect(await counted(started, [runIds])).toBe(RUNS);
  expect(await counted("select count(distinct run_id) from ledger")).toBe(2 * RUNS);
  const audited = "select count(*) from handrail.audit where plan_id = $1 and act = 'start_again' and result = 'done'";
  expect(await counted(audited, [planId])).toBe(RUNS);
  await engine.untilEnded(body.runId as string);
});
