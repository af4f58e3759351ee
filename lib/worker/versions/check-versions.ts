import type { AppServices, Workflow } from "../../engine/workflows/workflow";
import { codeFor, stopsOnDrift } from "../../engine/workflows/workflow-versions";
import type { Db } from "../../store/db";
import { listOpenRuns } from "../../store/reads/open-runs";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import { namesElsewhere } from "../../store/workers/remote-workers";
import { excusedByReruns } from "../../store/workflows/drift";
import { begunPages } from "../maps/begun-pages";
import { rehearse } from "./rehearse";

/** A run that the available code does not fit. */
export type Misfit = { runId: string; workflow: string; begunWith: number } & (
  | { kind: "no code"; chosen: number | null }
  | { kind: "drift"; version: number; gone: string[]; next: string[]; stops: boolean }
);

interface VersionCheck {
  /** How many open runs were checked. */
  runs: number;
  misfits: Misfit[];
}

/** Runs rehearsed concurrently, and read in one query. */
const PAGE = 100;
/** Code between steps that takes longer than this to reach its next step is considered to wait there. */
const PAUSE_MS = 250;

/**
 * Rehearses every open run of the database on the available code: nothing is written, no body is called. A done step
 * that the code does not reach is drift; so is a workflow without code.
 */
export async function checkVersions(
  db: Db,
  workflows: readonly Workflow[],
  services: AppServices,
): Promise<VersionCheck> {
  const check: VersionCheck = { runs: 0, misfits: [] };
  const elsewhere = new Set(await namesElsewhere(db));
  for (let after: string | null = null; ; ) {
    const page: ClaimedRun[] = await listOpenRuns(db, { after, limit: PAGE });
    // Code in other languages is not available here, and not expected.
    const ours = page.filter((run) => !elsewhere.has(run.workflow) || codeFor(workflows, run));
    const found = await Promise.all(ours.map((run) => misfitOf(db, run, workflows, services)));
    check.runs += ours.length;
    check.misfits.push(...found.filter((misfit) => misfit !== undefined));
    const last = page.at(-1);
    if (!last || page.length < PAGE) return check;
    after = last.id;
  }
}

async function misfitOf(
  db: Db,
  run: ClaimedRun,
  workflows: readonly Workflow[],
  services: AppServices,
): Promise<Misfit | undefined> {
  const facts = { runId: run.id, workflow: run.workflow, begunWith: run.version };
  const workflow = codeFor(workflows, run);
  if (!workflow) return { ...facts, kind: "no code", chosen: run.chosenVersion };
  // The code of a page is found by its parent's outcomes, and its parent is rehearsed.
  if (run.steps.length === 0 || run.pageOf !== null) return undefined;
  const { gone, next } = await rehearse(run, workflow, services, {
    pauseMs: PAUSE_MS,
    pages: await begunPages(run, db),
  });
  if (gone.length === 0) return undefined;
  const excused = run.generation > 1 ? await excusedByReruns(db, run.id) : new Set<string>();
  if (gone.every((name) => excused.has(name))) return undefined;
  return { ...facts, kind: "drift", version: workflow.version, gone, next, stops: stopsOnDrift(workflow) };
}
