import { performance } from "node:perf_hooks";
import { systemCaller } from "../../lib/engine/audit/audit";
import { newAuditKeys } from "../../lib/engine/audit/audit-keys";
import { codeHere } from "../../lib/engine/workflows/workflow-code";
import { carryOutNext } from "../../lib/operator/operations/carry-out-item";
import { executePlan } from "../../lib/operator/operations/execute-plan";
import { exportOperation } from "../../lib/operator/operations/export-operation";
import { makePlan } from "../../lib/operator/operations/make-plan";
import { readOperation, readOperationAndRuns } from "../../lib/operator/operations/operation-view";
import { Notifier } from "../../lib/store/database/notifier";
import type { Bench } from "./bench";
import { atLeast, atMost, type Figure, median, ms, perSecond } from "./figure";
import { residentMb } from "./latency";

/** The largest plan that there is. */
const RUNS = 100_000;
/** How many items are executed at the beginning, and again at the end: a full execution would take an hour. */
const CARRIED_OUT = 2_000;
const ABOUT = { reason: "the gateway is back", canary: 0, ratePerSecond: 1_000 };

/**
 * Plans a rerun of a hundred thousand failed runs. The first are executed item by item without a pause, as fast as the
 * database allows; those in between get their outcome by one statement; then the last are executed. Then the
 * operation's page and its report are read. No worker runs the runs: this measures the operator's side.
 */
export async function operations(bench: Bench): Promise<Figure[]> {
  const { db, pool } = bench;
  await pool.query(
    `insert into handrail.run (id, workflow, version, status, input, attention, error, started_at, finished_at)
     select gen_random_uuid(), 'orders-' || n % 20, 1, 'failed', '{}', 'failed', '{"name":"Error","message":"503"}', now(), now()
     from generate_series(1, $1::int) as n`,
    [RUNS],
  );
  await pool.query("analyze handrail.run");
  const memory = new PeakMemory();
  const code = codeHere([]);
  const desk = { db, notifier: new Notifier(db), auditKeys: newAuditKeys(), by: systemCaller("bench"), request: null };
  const [plan, planMs] = await timed(() =>
    makePlan(desk, { act: "rerun", params: {} }, { filter: { status: ["failed"] } }),
  );
  const given = { planId: plan.id, hash: plan.hash, ...ABOUT };
  const [{ body: operation }, beginMs] = await timed(() => executePlan(desk, code, given));
  const next = () => carryOutNext({ ...desk, code }, operation.id);
  const firstMs = await carryOut(next);
  await skipThoseBetween(bench, operation.id);
  const lastMs = await carryOut(next);
  await next();
  const { counts, status } = await readOperation(db, operation.id);
  if (status !== "completed" || counts.done !== 2 * CARRIED_OUT || counts.failed > 0)
    throw new Error(`Not all of them were done: ${status}, ${counts.done}.`);
  const pageMs = await page(bench, operation.id);
  const [lines, reportMs] = await timed(() => report(bench, operation.id));
  await desk.notifier.close();
  const peakMb = memory.stop();
  const itemsPerSecond = ((2 * CARRIED_OUT) / (firstMs + lastMs)) * 1_000;
  return [
    {
      measure: "100,000 runs planned, per B50 insert",
      measured: `${perSecond((RUNS / planMs) * 1_000)}, ${ms(planMs)} in all`,
      value: ((RUNS / planMs) * 1_000) / bench.b50,
      target: atLeast(0.1),
    },
    { measure: "the plan begun", measured: ms(beginMs), value: beginMs, target: atMost(100) },
    {
      measure: "items carried out one after the other, per B1 insert",
      measured: perSecond(itemsPerSecond),
      value: itemsPerSecond / bench.b1,
      target: atLeast(0.05),
    },
    {
      measure: "the last 2,000 of 100,000 items against the first",
      measured: `${ms(lastMs)} against ${ms(firstMs)}`,
      value: lastMs / firstMs,
      target: atMost(1.2),
    },
    { measure: "its page behind 100,000 items", measured: ms(pageMs), value: pageMs, target: atMost(100) },
    {
      measure: "its report, lines per B50 insert",
      measured: `${perSecond((lines / reportMs) * 1_000)}, ${ms(reportMs)} in all`,
      value: ((lines / reportMs) * 1_000) / bench.b50,
      target: atLeast(0.5),
    },
    {
      measure: "peak memory of all that above what it was before",
      measured: `${Math.round(peakMb)} MB`,
      value: peakMb,
      target: atMost(150),
    },
  ];
}

async function timed<Value>(work: () => Promise<Value>): Promise<[Value, number]> {
  const since = performance.now();
  return [await work(), performance.now() - since];
}

/** Milliseconds. */
async function carryOut(next: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  for (let items = 0; items < CARRIED_OUT; items++) await next();
  return performance.now() - since;
}

/** Gives the items in between an outcome without executing them. */
async function skipThoseBetween({ pool }: Bench, operationId: string): Promise<void> {
  await pool.query(
    `with skipped as (
       insert into handrail.operation_item (operation_id, position, run_id, outcome, because)
       select operation.id, plan_item.position, plan_item.run_id, 'already', 'Already done.'
       from handrail.operation join handrail.plan_item using (plan_id)
       where operation.id = $1 and plan_item.position > operation.position and plan_item.position <= $2::int
       returning position
     )
     update handrail.operation set position = $2::int, already = (select count(*) from skipped) where id = $1`,
    [operationId, RUNS - CARRIED_OUT],
  );
}

async function page({ db }: Bench, operationId: string): Promise<number> {
  const took: number[] = [];
  for (let time = 0; time < 10; time++) took.push((await timed(() => readOperationAndRuns(db, operationId)))[1]);
  return median(took);
}

/** Its lines, of which nothing is kept. */
async function report({ db }: Bench, operationId: string): Promise<number> {
  let lines = 0;
  for await (const piece of await exportOperation(db, operationId, "ndjson", async (given) => [...given]))
    lines += piece.split("\n").length - 1;
  return lines;
}

/** Of this process, looked at ten times a second. */
class PeakMemory {
  private readonly before = residentMb(process.pid);
  private peak = this.before;
  private readonly timer = setInterval(() => {
    this.peak = Math.max(this.peak, residentMb(process.pid));
  }, 100);

  /** In MB, above what it was when this began. */
  stop(): number {
    clearInterval(this.timer);
    return this.peak - this.before;
  }
}
