import { expect, it, onTestFinished } from "vitest";
import { PROBE_POINTS } from "../../engine/problems/probe";
import { codeHere } from "../../engine/workflows/workflow-code";
import { aDesk } from "../../testing/desk";
import { ChildWorker, type Fault } from "../../testing/processes/crash";
import { oneIn } from "../../testing/sample";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { createLedger, LEDGER_WORKFLOWS } from "../../testing/workflows/ledger";
import { behindAGateway } from "../../testing/workflows/ledger-workflows";
import { readProblem } from "../problem-view";
import { startProbe } from "./start-probe";

/*
 * A probe reruns three runs, whose bodies each write a line into a table outside the engine, and the gateway comes back before the
 * third. The worker that takes the probe's turns is killed in one of them; by that table, nothing is rerun twice.
 */

const engine = anEngine();
const RUNS = 3;
const reason = "is the gateway back?";

async function aWorker(fault?: Fault): Promise<ChildWorker> {
  const worker = ChildWorker.spawn(engine.database, {
    workflows: LEDGER_WORKFLOWS,
    leaseMs: 20_000,
    ...(fault && { fault }),
  });
  onTestFinished(() => worker.kill());
  return worker;
}

const counted = async (text: string) => Number((await engine.rows<{ count: string }>(text))[0]?.count);
const bodies = () => counted("select count(*) from ledger");
/** Of all its runs, also those of earlier tests, which the problem still has. */
const reruns = () =>
  counted("select sum(generation - 1) as count from handrail.run where workflow = 'behind-a-gateway'");
const audited = () => counted("select count(*) from handrail.audit where act = 'rerun' and result = 'done'");
const failedRuns = "select count(*) from handrail.run where workflow = 'behind-a-gateway' and status = 'failed'";
const outcomesOf = async (problemId: string) =>
  (await readProblem(engine.db, problemId)).probe?.tries.map(({ outcome }) => outcome);

const cases = PROBE_POINTS.flatMap((point) => [1, 2, 3, 4].map((passage) => ({ point, passage })));

it.each(oneIn(2, cases))(
  "a worker that is killed at $point, turn $passage, leaves each rerun to be made once",
  async (fault) => {
    await engine.rows("drop table if exists ledger, ended_process, gateway_up");
    await createLedger(engine.database.pool);
    const runIds: string[] = [];
    for (let n = 0; n < RUNS; n++) runIds.push(await engine.start(behindAGateway, { n }));
    const victim = await aWorker(fault);
    for (const runId of runIds) await engine.untilEnded(runId);
    const { id: problemId } = await until("the problem", async () => {
      const held = `select id from handrail.problem where workflow = 'behind-a-gateway' and open_runs = (${failedRuns})`;
      return (await engine.rows<{ id: string }>(held))[0];
    });
    const before = { reruns: await reruns(), audited: await audited() };

    await startProbe({ ...aDesk(engine.db), code: codeHere([behindAGateway]) }, { problemId, reason });
    expect(await victim.untilEnded()).toBe("SIGKILL");
    await engine.endLeases();
    await aWorker();
    await until(
      "two failed reruns",
      async () =>
        (await outcomesOf(problemId))?.filter((one) => one === "failed").length === 2 || (await bodies()) >= RUNS + 2,
    );
    await engine.rows("create table if not exists gateway_up ()");
    const probe = await until("the end of the probe", async () => {
      const { probe } = await readProblem(engine.db, problemId);
      return probe?.status === "running" ? null : probe;
    });
    expect(probe.status).toBe("through");
    expect(probe.tries.at(-1)?.outcome).toBe("through");
    // One body a rerun, and one a first failure: none was rerun without a row, and none twice.
    expect(await bodies()).toBe(RUNS + probe.tries.length);
    expect(await reruns()).toBe(before.reruns + probe.tries.length);
    expect(await audited()).toBe(before.audited + probe.tries.length);
    for (const { runId } of probe.tries) await engine.untilEnded(runId);
    const [driver] = await engine.rows<{ run_id: string }>("select run_id from handrail.probe where id = $1", [
      probe.id,
    ]);
    expect((await engine.untilEnded(driver?.run_id as string)).run.status).toBe("completed");
  },
);
