import { failingSince } from "../../engine/flow/flow";
import { percentile } from "../../engine/flow/histogram";
import { FLOW_WINDOWS, type FlowWindow } from "../../engine/flow/rollup";
import { OWN_WORKFLOWS } from "../../engine/workflows/own-workflows";
import type { Db } from "../../store/db";
import {
  type FlowAsked,
  type FlowRow,
  type StepFlowRow,
  selectCounted,
  selectFlow,
  selectStepFlow,
  selectTitles,
} from "../../store/reads/flow";
import { deploysWithin } from "../deploys/deploys";
import { asInstantOrNull } from "../values";
import { readWorkflow } from "../workflows/workflow-view";

interface FlowFilter {
  window: FlowWindow;
  workflow?: string[] | undefined;
}

const MAX_WORKFLOWS = 50;

/** Starts and ends in a window, by point and by workflow, and in the window before it. */
export async function readFlow(db: Db, { window, workflow }: FlowFilter) {
  const query = await queryOf(db, window, workflow ?? null);
  const [rows, named, deploys] = await Promise.all([
    selectFlow(db, query.flow),
    selectTitles(db),
    deploysOf(db, query.flow),
  ]);
  const titles = new Map(named.map(({ name, title }) => [name, title]));
  const workflows = rows
    .filter(({ facet }) => facet === "workflow")
    .map((row) => ({ workflow: row.key, title: titles.get(row.key) ?? row.key, totals: totalsOf([row]) }))
    .sort((a, b) => b.totals.failed - a.totals.failed || endsOf(b.totals) - endsOf(a.totals))
    .slice(0, MAX_WORKFLOWS);
  return { ...windowOf(window, query, rows), deploys, workflows };
}

/** The same of one workflow, with its versions and steps. @throws HandrailError `unknown_workflow` */
export async function readWorkflowFlow(db: Db, workflow: string, window: FlowWindow) {
  await readWorkflow(db, workflow);
  const query = await queryOf(db, window, [workflow]);
  const [rows, steps, deploys] = await Promise.all([
    selectFlow(db, query.flow),
    selectStepFlow(db, workflow, query.flow),
    deploysOf(db, query.flow),
  ]);
  const versions = rows
    .filter(({ facet }) => facet === "version")
    .map((row) => ({ version: Number(row.key), totals: totalsOf([row]) }))
    .sort((a, b) => b.version - a.version);
  return {
    workflow,
    ...windowOf(window, query, rows),
    deploys,
    versions,
    failingSince: failingSince(versions.map(({ version, totals }) => ({ version, ...totals }))),
    steps: stepsOf(steps),
  };
}

const deploysOf = (db: Db, { workflows, fromMs, untilMs }: FlowAsked) =>
  deploysWithin(db, { workflows, since: new Date(fromMs), until: new Date(untilMs) });

type FlowQuery = Awaited<ReturnType<typeof queryOf>>;

/** Points begin at multiples of their width; the last one contains the database's now and is still filling. */
async function queryOf(db: Db, window: FlowWindow, workflows: string[] | null) {
  const { ms, minutes, pointMinutes } = FLOW_WINDOWS[window];
  const counted = await selectCounted(db, minutes);
  const pointMs = pointMinutes * 60_000;
  const untilMs = (Math.floor(counted.now.getTime() / pointMs) + 1) * pointMs;
  const without = workflows === null ? OWN_WORKFLOWS : [];
  const flow: FlowAsked = { minutes, fromMs: untilMs - ms, untilMs, pointMs, workflows, without };
  return { flow, counted };
}

function windowOf(window: FlowWindow, { flow, counted }: FlowQuery, rows: readonly FlowRow[]) {
  const { fromMs, untilMs, pointMs } = flow;
  const byPoint = new Map(rows.filter(({ facet }) => facet === "point").map((row) => [Number(row.key), row]));
  const points = Array.from({ length: Math.round((untilMs - fromMs) / pointMs) }, (_, place) => {
    const row = byPoint.get(place);
    return { at: new Date(fromMs + place * pointMs).toISOString(), ...totalsOf(row ? [row] : []) };
  });
  const beforeRow = byPoint.get(-1);
  const since = asInstantOrNull(counted.since);
  const beginsMs = fromMs - (untilMs - fromMs);
  return {
    window,
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    pointMs,
    countedSince: since,
    countedUntil: asInstantOrNull(counted.until),
    heldBack: counted.held,
    points,
    totals: totalsOf([...byPoint].flatMap(([place, row]) => (place >= 0 ? [row] : []))),
    before: totalsOf(beforeRow ? [beforeRow] : []),
    // Not yet counted is different from zero.
    beforeIsWhole: since !== null && Date.parse(since) <= beginsMs + pointMs,
    updatedAt: new Date().toISOString(),
  };
}

const endsOf = ({ completed, failed, cancelled, compensated }: ReturnType<typeof totalsOf>) =>
  completed + failed + cancelled + compensated;

function totalsOf(rows: readonly FlowRow[]) {
  const sum = (of: (row: FlowRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const took = merged(rows.map((row) => row.took));
  const queued = merged(rows.map((row) => row.queued));
  return {
    started: sum((row) => row.started),
    completed: sum((row) => row.completed),
    failed: sum((row) => row.failed),
    cancelled: sum((row) => row.cancelled),
    compensated: sum((row) => row.compensated),
    retries: sum((row) => row.retries),
    ...percentilesOf(took),
    queuedP50Ms: percentile(queued, 0.5),
    queuedP95Ms: percentile(queued, 0.95),
  };
}

const percentilesOf = (took: Map<number, number>) => ({
  p50Ms: percentile(took, 0.5),
  p95Ms: percentile(took, 0.95),
  p99Ms: percentile(took, 0.99),
});

function merged(histograms: readonly (readonly [number, number][])[]): Map<number, number> {
  const all = new Map<number, number>();
  for (const [bucket, count] of histograms.flat()) all.set(bucket, (all.get(bucket) ?? 0) + count);
  return all;
}

/** Slowest first, each with its versions, newest first. */
function stepsOf(rows: readonly StepFlowRow[]) {
  const view = ({ executions, failures, retries, took }: StepFlowRow) => ({
    ...{ executions, failures, retries },
    ...percentilesOf(merged([took])),
  });
  return rows
    .filter(({ version }) => version === null)
    .map((row) => ({
      // Null: for steps whose names are not counted separately.
      step: row.step === "" ? null : row.step,
      ...view(row),
      versions: rows
        .filter(({ step, version }) => step === row.step && version !== null)
        .map((of) => ({ version: of.version as number, ...view(of) }))
        .sort((a, b) => b.version - a.version),
    }))
    .sort((a, b) => (b.p95Ms ?? 0) - (a.p95Ms ?? 0));
}
