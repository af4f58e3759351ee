import { v7 as uuidv7 } from "uuid";
import { expect, it, onTestFinished } from "vitest";
import type { PlannedAct } from "../../actions/actions";
import { ITEM_POINTS } from "../../engine/operations/operation";
import { codeHere } from "../../engine/workflows/workflow-code";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { aDesk } from "../../testing/desk";
import { ChildWorker, type Fault } from "../../testing/processes/crash";
import { aRun } from "../../testing/rows/a-run";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { LEDGER_WORKFLOWS } from "../../testing/workflows/ledger";
import { verifyAudit } from "../audit/verify-audit";
import { executePlan } from "../operations/execute-plan";
import { makePlan } from "../operations/make-plan";
import { readOperation } from "../operations/operation-view";

const engine = anEngine();
const RUNS = 12;

function aWorker(fault?: Fault): ChildWorker {
  const worker = ChildWorker.spawn(engine.database, {
    workflows: LEDGER_WORKFLOWS,
    leaseMs: 20_000,
    ...(fault && { fault }),
  });
  onTestFinished(() => worker.kill());
  return worker;
}

const pastRun = () => {
  const createdAt = new Date(Date.now() - 2 * 86_400_000);
  return aRun(engine.db, {
    id: uuidv7({ msecs: createdAt.getTime() }),
    createdAt,
    tags: { order: "A-17" },
  }).completed();
};

const ACTS: { act: PlannedAct; done: string }[] = [
  {
    act: { act: "delete", params: {} },
    done: "select id from unnest($1::uuid[]) as id where id not in (select id from handrail.run)",
  },
  {
    act: { act: "erase", params: {} },
    // Wholly: no step of it has an output that is left.
    done: `select id from handrail.run where id = any ($1) and erased_at is not null and input = '{"$type":"erased"}'
      and not exists (select from handrail.step where run_id = run.id and output <> '{"$type":"erased"}')`,
  },
];

it.each(ACTS.flatMap((one) => ITEM_POINTS.map((point) => ({ ...one, point, name: one.act.act }))))(
  "a worker that is killed at $point of a bulk $name leaves each run whole or done, and the next one goes on",
  async ({ act, done, point }) => {
    const runIds = await Promise.all(Array.from({ length: RUNS }, pastRun));
    const victim = aWorker({ point, passage: 5 });
    const { id: planId, hash } = await makePlan(aDesk(engine.db), act, { runIds });
    const given = { planId, hash, reason: "they asked for it", ratePerSecond: 1_000, canary: 0 };
    const { body } = await executePlan(aDesk(engine.db), codeHere([]), given);
    expect(await victim.untilEnded()).toBe("SIGKILL");
    const isDone = async () => (await engine.rows(done, [runIds])).length;
    expect(await isDone()).toBe(point === "operation:after-commit" ? 5 : 4);
    await engine.endLeases();
    aWorker();
    await until("the end", async () => (await readOperation(engine.db, body.id)).status === "completed");
    expect((await readOperation(engine.db, body.id)).counts).toMatchObject({ done: RUNS, failed: 0 });
    expect(await isDone()).toBe(RUNS);
    const audited = await engine.rows("select from handrail.audit where plan_id = $1 and act = $2", [planId, act.act]);
    expect(audited).toHaveLength(RUNS);
    expect(await verifyAudit(engine.db, TEST_AUDIT_KEYS)).toMatchObject({ fault: null });
    await engine.untilEnded(body.runId as string);
  },
);
