import type { CameBack, ProblemEvent, ProblemKind, ProblemStatus } from "../../engine/problems/problem";
import { stepPattern } from "../../engine/steps/step-pattern";
import { cappedStatement, type Db, type Statement } from "../db";
import { ERROR_HIDES_NOTHING } from "../privacy/masks-nothing";
import { MOST_WATCHED } from "../problems/watches";
import type { RowInstant } from "../rows";
import { Parameters } from "./run-filter";

export interface ProblemRow {
  id: string;
  kind: ProblemKind;
  workflow: string;
  title: string;
  step: string | null;
  error_name: string;
  pattern: string;
  status: ProblemStatus;
  assignee: string | null;
  muted_until: RowInstant | null;
  muted_to_count: number | null;
  resolved_at: RowInstant | null;
  resolved_in: number | null;
  came_back: CameBack | null;
  came_back_at: RowInstant | null;
  failures: number;
  exhausted: number;
  returned: number;
  open_runs: number;
  first_at: RowInstant;
  last_at: RowInstant;
  example_run_id: string;
  example_step: string | null;
  example_version: number;
  example_error: string;
  revision: number;
  /** Failures by the hour of the last day, oldest first, empty hours omitted: seconds, count. */
  hours: [number, number][];
  /** The current hour, in seconds, by the database's clock. */
  this_hour: number;
  /** For the cursor, to the microsecond. */
  key_at: string;
}

export interface ProblemFilter {
  status?: ProblemStatus[] | undefined;
  workflow?: string[] | undefined;
  assignee?: string | undefined;
  /** The owner who watches them. */
  watchedBy?: string | undefined;
  /** A part of the error's name or message, of the step's or the workflow's name. */
  q?: string | undefined;
  /** For callers who may not see masked values: messages of workflows that mask anything are not searched. */
  blind?: boolean | undefined;
}

/** Where a page begins: after this problem. */
export type ProblemKey = [lastAt: string, id: string];

/** The title in its newest version, or its name if no version is registered. */
const TITLE = `coalesce((select title from handrail.workflow as known where known.name = problem.workflow order by version desc limit 1), problem.workflow)`;

const countsOf = (minutes: 1 | 60, period: string) => `
  coalesce((select json_agg(json_build_array(extract(epoch from at)::bigint, failures) order by at) from handrail.problem_count
    where problem_id = problem.id and minutes = ${minutes} and at > (select clock_timestamp() - interval '${period}')), '[]')`;

const COLUMNS = `problem.*, problem.id::text, example_run_id::text, ${TITLE} as title, ${countsOf(60, "24 hours")} as hours,
    floor(extract(epoch from clock_timestamp()) / 3600)::bigint * 3600 as this_hour, last_at::text as key_at`;

/**
 * The latest first: a page by the index of each status. A text is searched in as many problems as it takes to fill the
 * page: a workflow has MAX_KEYS at the most.
 */
export function listProblems(db: Db, filter: ProblemFilter, page: { after: ProblemKey | null; limit: number }) {
  const parameters = new Parameters();
  const limit = parameters.add(page.limit, "int");
  const conditions = narrowing(filter, parameters);
  if (page.after !== null) {
    const [at, id] = [parameters.add(page.after[0], "timestamptz"), parameters.add(page.after[1], "uuid")];
    conditions.push(`(last_at, id) < (${at}, ${id})`);
  }
  const lanes = (filter.status ?? (["open", "muted", "resolved"] as const)).map(
    (status) => `(select * from handrail.problem
      where ${[`status = ${parameters.add(status, "text")}`, ...conditions].join(" and ")} order by last_at desc, id desc limit ${limit})`,
  );
  const text = `
    select ${COLUMNS} from (select * from (${lanes.join(" union all ")}) as lane order by last_at desc, id desc limit ${limit}) as problem
    order by problem.last_at desc, problem.id desc`;
  return db.query<ProblemRow>({ name: "", text }, parameters.values);
}

/** The error of the example is of the run, or of a relative. */
const MASKS = `(exists (select from handrail.workflow as masking
        where masking.name = problem.workflow and cardinality(masking.masked) > 0)
      or exists (select from handrail.run where run.id = problem.example_run_id and not (${ERROR_HIDES_NOTHING})))`;

function narrowing(
  { workflow, assignee, watchedBy, q, blind = false }: ProblemFilter,
  parameters: Parameters,
): string[] {
  const conditions: string[] = [];
  if (workflow !== undefined) conditions.push(`workflow = any (${parameters.add(workflow, "text[]")})`);
  if (assignee !== undefined) conditions.push(`assignee = ${parameters.add(assignee, "text")}`);
  // By the problems' ids: an owner watches few.
  if (watchedBy !== undefined)
    conditions.push(
      `id = any (array(select problem_id from handrail.problem_watch where owner_id = ${parameters.add(watchedBy, "text")} limit ${MOST_WATCHED}))`,
    );
  if (q) {
    const text = parameters.add(q.toLowerCase(), "text");
    const errors = blind ? `case when not ${MASKS} then error_name || ' ' || pattern end` : "error_name, pattern";
    conditions.push(`strpos(lower(concat_ws(' ', ${errors}, step, workflow)), ${text}) > 0`);
  }
  return conditions;
}

interface ProblemDetailRow extends ProblemRow {
  versions: { version: number; failures: number; first_at: string; last_at: string }[];
  /** Newest first, 100 at the most. */
  history: { id: number; at: string; what: ProblemEvent; by: string | null; text: string }[];
  /** By the minute of the last hour; by the hour of the last week. */
  minutes: [number, number][];
  week: [number, number][];
  this_minute: number;
}

const detailStatement: Statement = {
  name: "problem-detail",
  text: `
    select ${COLUMNS}, ${countsOf(1, "1 hour")} as minutes, ${countsOf(60, "7 days")} as week,
      floor(extract(epoch from clock_timestamp()) / 60)::bigint * 60 as this_minute,
      coalesce((select json_agg(of_version order by version desc) from (
        select version, failures, first_at, last_at from handrail.problem_version where problem_id = problem.id
        order by version desc limit 50) as of_version), '[]') as versions,
      coalesce((select json_agg(entry order by id desc) from (
        select id, at, what, "by", text from handrail.problem_history where problem_id = problem.id
        order by id desc limit 100) as entry), '[]') as history
    from handrail.problem where id = $1::uuid`,
};

export async function selectProblem(db: Db, id: string): Promise<ProblemDetailRow | undefined> {
  return (await db.query<ProblemDetailRow>(detailStatement, [id]))[0];
}

/** The newest runs of the workflow among which successes are looked for: one probe of an index each. */
export const RUNS_LOOKED_AT = 200;

const LATEST = `asked as (
      select workflow, kind, example_step as step, last_at from handrail.problem where id = $1::uuid
    ), latest as (
      select id, status, finished_at from handrail.run where workflow = (select workflow from asked) order by id desc limit ${RUNS_LOOKED_AT}
    )`;

const successesStatement: Statement = {
  name: "successes-since-problem",
  text: `
    with ${LATEST}, success as (
      select case
        when asked.kind = 'undo_failed' then (select max(finished_at) from handrail.compensation
          where run_id = latest.id and step = asked.step and status = 'completed' and attempt > 0)
        when asked.step is null then case when latest.status = 'completed' then latest.finished_at end
        else (select max(finished_at) from handrail.step
          where run_id = latest.id and name = asked.step and status = 'completed' and attempt > 0) end as at
      from latest, asked
    )
    select count(*)::int as count, max(at) as last_at from success where at > (select last_at from asked)`,
};

/** Of each of those runs, where the step's name is made from data: the first in the order of their names. */
const STEPS_LOOKED_AT = 200;

/** Which names are alike is a rule (stepPattern): this finds those that begin alike, the latest success first. */
const alikeStatement = (table: "step" | "compensation", name: string): Statement => ({
  name: `successes-of-${table}s-alike`,
  text: `
    with ${LATEST}
    select latest.id::text as "runId", outcome.step, outcome.finished_at as at
    from asked cross join latest cross join lateral (
      select ${name} as step, status, attempt, finished_at from handrail.${table}
      where run_id = latest.id and (latest.finished_at is null or latest.finished_at > asked.last_at) limit ${STEPS_LOOKED_AT}
    ) as outcome
    where outcome.status = 'completed' and outcome.attempt > 0 and outcome.finished_at > asked.last_at and starts_with(outcome.step, $2)
    order by outcome.finished_at desc`,
});

const stepsAlike = alikeStatement("step", "name");
const compensationsAlike = alikeStatement("compensation", "step");

interface Successes {
  count: number;
  last_at: RowInstant | null;
}

/**
 * How many of the workflow's newest runs got through the failing step since the problem's last failure. Outcomes that a
 * person supplied do not count.
 */
export async function successesSince(
  db: Db,
  { id, kind, step, example_step }: Pick<ProblemRow, "id" | "kind" | "step" | "example_step">,
): Promise<Successes> {
  if (step === null || step === example_step) {
    const [row] = await db.query<Successes>(successesStatement, [id]);
    return row ?? { count: 0, last_at: null };
  }
  const statement = kind === "undo_failed" ? compensationsAlike : stepsAlike;
  const [beginning] = step.split(/<(?:id|n)>/, 1);
  const found = await db.query<{ runId: string; step: string; at: RowInstant }>(statement, [id, beginning]);
  const alike = found.filter((outcome) => stepPattern(outcome.step) === step);
  return { count: new Set(alike.map(({ runId }) => runId)).size, last_at: alike[0]?.at ?? null };
}

const behindStatement: Statement = {
  name: "problems-behind",
  text: `
    select coalesce(extract(epoch from clock_timestamp() - (select at from handrail.trouble order by seq limit 1))::float8 * 1000, 0) as ms`,
};

/** The age of the oldest trouble that is not folded yet; 0 without any. */
export async function problemsBehindMs(db: Db): Promise<number> {
  const [row] = await db.query<{ ms: number }>(behindStatement, []);
  return Math.max(0, row?.ms ?? 0);
}

const holdingStatement = cappedStatement(
  "problems-that-hold-most",
  `
    select ${COLUMNS} from (
      select * from handrail.problem where status = 'open' and open_runs > 0 order by open_runs desc, id limit $1::int
    ) as problem
    order by problem.open_runs desc, problem.id`,
);

const openStatement = cappedStatement(
  "count-holding-problems",
  `
    select count(*)::int as open from (
      select from handrail.problem where status = 'open' and open_runs > 0 limit $1::int) as holding`,
);

/** Open ones that hold a run; counting stops at `cap`. */
export async function countHoldingProblems(db: Db, cap: number): Promise<number> {
  const [row] = await db.query<{ open: number }>(openStatement(cap), []);
  return row?.open ?? 0;
}

/** Open ones, those with the most runs first. */
export const listHoldingProblems = (db: Db, limit: number) => db.query<ProblemRow>(holdingStatement(limit), []);

const changedStatement: Statement = {
  name: "watched-problems-that-changed",
  text: `
    select ${COLUMNS} from (
      select problem.* from handrail.problem where id = any (array(
        select problem_id from handrail.problem_watch as watch where owner_id = $1 and exists (
          select from handrail.problem_history where problem_id = watch.problem_id and id > watch.seen)
        limit ${MOST_WATCHED}))
      order by last_at desc, id desc limit $2::int
    ) as problem
    order by problem.last_at desc, problem.id desc`,
};

/** Watched by the owner and changed since they saw them, latest failure first. */
export const listChangedWatched = (db: Db, ownerId: string, limit: number) =>
  db.query<ProblemRow>(changedStatement, [ownerId, limit]);
