import { HandrailError } from "../engine/errors";
import { patternOf } from "../engine/problems/fingerprint";
import { OTHERS, type ProblemEvent, problemActStates } from "../engine/problems/problem";
import type { Db } from "../store/db";
import { watchersOf, watchesOf } from "../store/problems/watches";
import {
  countHoldingProblems,
  listChangedWatched,
  listHoldingProblems,
  listProblems,
  type ProblemFilter,
  type ProblemKey,
  type ProblemRow,
  problemsBehindMs,
  RUNS_LOOKED_AT,
  selectProblem,
  successesSince,
} from "../store/reads/problems";
import { decodeCursor, encodeCursor, isInstant } from "./cursor";
import { deployBefore, deploysWithin } from "./deploys/deploys";
import { inTurns } from "./in-turns";
import { loadVeils, type Veils } from "./masking/veils";
import { latestProbe } from "./probes/probe-view";
import { asBriefError, asError, asInstant, asInstantOrNull } from "./values";

const DEFAULT_PAGE_SIZE = 50;
const ON_OVERVIEW = 8;

interface ProblemsQuery extends Omit<ProblemFilter, "watchedBy"> {
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only those that the reader watches. */
  watched?: "true" | undefined;
}

/** Who reads: see `ownerOf`. Null for Handrail itself. */
type Reader = string | null | undefined;

export type ProblemDetail = Awaited<ReturnType<typeof readProblem>>;

/** Latest first. */
export async function readProblems(
  db: Db,
  { cursor, limit = DEFAULT_PAGE_SIZE, watched, ...given }: ProblemsQuery,
  reader: Reader,
) {
  const after = cursor === undefined ? null : decodeCursor<ProblemKey>(cursor, isKey);
  const filter = watched ? { ...given, watchedBy: reader ?? "" } : given;
  const [rows, behindMs] = await Promise.all([
    listProblems(db, filter, { after, limit: limit + 1 }),
    problemsBehindMs(db),
  ]);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    problems: await problemViews(db, shown, reader),
    nextCursor: last ? encodeCursor([last.key_at, last.id]) : null,
    behindMs,
    updatedAt: new Date().toISOString(),
  };
}

const isKey = ([at, id]: unknown[]) =>
  isInstant(at) && typeof id === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

/**
 * The problems on the overview: how many are open and hold runs, those that hold the most, and those that changed since the
 * reader, who watches them, last looked.
 */
export async function readHoldingProblems(db: Db, cap: number, reader: Reader) {
  // One after the other, as all of the overview.
  const open = await countHoldingProblems(db, cap);
  const rows = await listHoldingProblems(db, ON_OVERVIEW);
  const changed = reader ? await listChangedWatched(db, reader, ON_OVERVIEW) : [];
  const behindMs = await problemsBehindMs(db);
  const holding = await problemViews(db, rows, reader);
  return { open, holding, changed: await problemViews(db, changed, reader), behindMs };
}

/** @throws HandrailError `unknown_problem` */
export async function readProblem(db: Db, id: string, reader?: Reader) {
  const row = await selectProblem(db, id);
  if (!row) throw unknownProblem(id);
  const { versions, history, minutes, week, this_minute, this_hour, example_error } = row;
  const { workflow } = row;
  const charts = {
    hour: series(minutes, { last: this_minute, widthS: 60, length: 60 }),
    week: series(week, { last: this_hour, widthS: 3_600, length: 168 }),
  };
  const began = new Date(row.came_back_at ?? row.first_at);
  const [view, since] = [await problemViewOf(db, row, reader), await successesSince(db, row)];
  const probe = await latestProbe(db, id);
  const deploys = await deploysWithin(db, { workflows: [workflow], since: new Date(charts.week.from) });
  return {
    ...view,
    sinceLastFailure: { successes: since.count, lastAt: asInstantOrNull(since.last_at), ofRuns: RUNS_LOOKED_AT },
    example: { ...view.example, error: asError(example_error) },
    versions: versions.map(({ version, failures, first_at, last_at }) => ({
      version,
      failures,
      firstAt: asInstant(first_at),
      lastAt: asInstant(last_at),
    })),
    history: history.map(({ id: entry, at, ...rest }) => ({ id: String(entry), at: asInstant(at), ...rest })),
    charts: { ...charts, day: view.sparkline },
    deploys,
    deployBefore: await deployBefore(db, workflow, began),
    probe,
    watchers: (await watchersOf(db, id)).map(({ owner_id, name }) => ({ name, you: owner_id === reader })),
    acts: problemActStates({
      ...row,
      openRuns: row.open_runs,
      probing: probe?.status === "running",
      watching: view.watch !== null,
    }),
    behindMs: await problemsBehindMs(db),
  };
}

export const unknownProblem = (id: string) =>
  new HandrailError("unknown_problem", `There is no problem ${id}. One without failures for 90 days is forgotten.`);

const problemViewOf = async (db: Db, row: ProblemRow, reader: Reader) =>
  (await problemViews(db, [row], reader))[0] as ProblemView;

/**
 * Patterns are built from the masked errors: built from a masked value, a pattern would keep the parts that do not look
 * variable.
 */
export async function problemViews(db: Db, rows: readonly ProblemRow[], reader?: Reader): Promise<ProblemView[]> {
  const examples = rows.map((row) => row.example_run_id);
  const workflows = new Set(rows.map((row) => row.workflow));
  const veils = await loadVeils(db, { runs: new Map(examples.map((id) => [id, []])), workflows, sees: false });
  const watches = await watchesBy(db, reader, rows);
  return Promise.all(
    rows.map(async (row) => ({
      ...problemView(row, await inTurns(shownPattern(row, veils))),
      watch: watches.get(row.id) ?? null,
    })),
  );
}

/** What the reader watches of these, each with its latest change that they have not seen. */
async function watchesBy(db: Db, reader: Reader, rows: readonly ProblemRow[]) {
  const ids = rows.map(({ id }) => id);
  const watches = reader ? await watchesOf(db, reader, ids) : [];
  return new Map(
    watches.map(({ problem_id, what, by, at }) => [
      problem_id,
      { change: what && at ? { what, by, at: asInstant(at) } : null },
    ]),
  );
}

function* shownPattern({ workflow, example_run_id, example_error, error_name, pattern }: ProblemRow, veils: Veils) {
  const error = asError(example_error);
  // Of another run than the example: its masked values are not known here.
  if (!error || error_name === OTHERS) return veils.ofWorkflow(workflow).hides ? "" : pattern;
  const { text } = yield* veils.ofRun(example_run_id, workflow);
  return patternOf({ name: error.name, message: yield* text.hideInParts(error.message) });
}

type ProblemView = ReturnType<typeof problemView> & {
  watch: { change: { what: ProblemEvent; by: string | null; at: string } | null } | null;
};

function problemView(row: ProblemRow, pattern: string) {
  const { id, kind, workflow, title, step, status, assignee, failures, exhausted, returned, revision } = row;
  const error = asBriefError(row.example_error);
  return {
    id,
    kind,
    workflow,
    title,
    step,
    errorName: row.error_name,
    status,
    assignee,
    mutedUntil: asInstantOrNull(row.muted_until),
    mutedToCount: row.muted_to_count,
    resolvedAt: asInstantOrNull(row.resolved_at),
    resolvedIn: row.resolved_in,
    cameBack: row.came_back && row.came_back_at ? { after: row.came_back, at: asInstant(row.came_back_at) } : null,
    failures,
    exhausted,
    returned,
    openRuns: row.open_runs,
    firstAt: asInstant(row.first_at),
    lastAt: asInstant(row.last_at),
    example: {
      runId: row.example_run_id,
      step: row.example_step,
      version: row.example_version,
      error,
      /** Of this run and not of the first one: its masked values are known only from the run itself. */
      pattern,
    },
    sparkline: series(row.hours, { last: row.this_hour, widthS: 3_600, length: 24 }),
    revision,
  };
}

/** Every minute or hour until now, also those without a failure. */
function series(
  counts: [number, number][],
  { last, widthS, length }: { last: number; widthS: number; length: number },
) {
  const known = new Map(counts);
  const first = last - (length - 1) * widthS;
  return {
    from: new Date(first * 1000).toISOString(),
    minutes: widthS / 60,
    counts: Array.from({ length }, (_, index) => known.get(first + index * widthS) ?? 0),
  };
}
