import { seenAs } from "../engine/operations/operation";
import { idRange } from "../engine/runs/run-ids";
import type { Db } from "../store/db";
import { listProblems, selectProblem } from "../store/reads/problems";
import {
  searchActors,
  searchOperations,
  searchProblemIds,
  searchSchedules,
  searchWorkflows,
} from "../store/reads/search";
import { problemViews } from "./problem-view";
import { readRuns } from "./runs/reads";
import { asInstantOrNull } from "./values";

export const SEARCH_KINDS = ["runs", "workflows", "problems", "operations", "schedules", "people"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export interface SearchQuery {
  q: string;
  /** Only these; null, or absent: all. */
  workflows?: readonly string[] | null | undefined;
  /** Absent: all there are. */
  kinds?: readonly SearchKind[] | undefined;
  /** For callers who may not see masked values: no answer reveals whether one matches. */
  blind?: boolean | undefined;
}

/** Of each kind. */
const MOST = 6;

/** Everything that matches the typed text: of each kind the six best, each found along an index or in a small table. */
export async function search(db: Db, { q, workflows = null, kinds = SEARCH_KINDS, blind = false }: SearchQuery) {
  const ids = idRange(q);
  const query = { q, workflows, blind, ids };
  const of = <Found>(kind: SearchKind, find: () => Promise<Found[]>): Promise<Found[]> =>
    kinds.includes(kind) && workflows?.length !== 0 ? find() : Promise.resolve([]);
  const [runs, flows, problems, operations, schedules, people] = await Promise.all([
    of("runs", () => findRuns(db, query)),
    of("workflows", () => searchWorkflows(db, q, workflows, MOST)),
    of("problems", () => findProblems(db, query)),
    of("operations", () => findOperations(db, query)),
    of("schedules", () => searchSchedules(db, q, workflows, MOST)),
    of("people", () => searchActors(db, q, MOST)),
  ]);
  return {
    runs: runs.slice(0, MOST),
    moreRuns: runs.length > MOST,
    workflows: flows,
    problems,
    operations,
    schedules: schedules.map(({ paused_at, ...schedule }) => ({ ...schedule, pausedAt: asInstantOrNull(paused_at) })),
    people,
  };
}

type Looking = Required<Pick<SearchQuery, "q" | "blind">> & {
  workflows: readonly string[] | null;
  /** The text may be the beginning of an id. */
  ids: [string, string] | undefined;
};

async function findRuns(db: Db, { q, workflows, blind }: Looking) {
  const { runs } = await readRuns(db, { q, blind, ...(workflows && { workflow: [...workflows] }), limit: MOST + 1 });
  return runs.map(({ id, workflow, title, status, attention, runTitle, tags, idempotencyKey, createdAt }) => ({
    runId: id,
    workflow,
    title,
    status,
    attention,
    runTitle,
    tags,
    idempotencyKey,
    createdAt,
  }));
}

async function findProblems(db: Db, { q, workflows, blind, ids }: Looking) {
  const named = ids ? await searchProblemIds(db, ids, workflows, MOST) : [];
  const rows = ids
    ? await Promise.all(named.map(({ id }) => selectProblem(db, id)))
    : await listProblems(
        db,
        { q, blind, ...(workflows && { workflow: [...workflows] }) },
        { after: null, limit: MOST },
      );
  const views = await problemViews(
    db,
    rows.filter((row) => row !== undefined),
  );
  return views.map(({ id, workflow, title, step, status, openRuns, example: { runId, pattern } }) => ({
    id,
    runId,
    workflow,
    title,
    step,
    status,
    openRuns,
    pattern,
  }));
}

async function findOperations(db: Db, { workflows, ids }: Looking) {
  const rows = ids ? await searchOperations(db, ids, workflows, MOST) : [];
  return rows.map(({ id, act, status, total, run_status }) => ({
    id,
    act,
    status: seenAs(status, run_status).status,
    runs: total,
  }));
}
