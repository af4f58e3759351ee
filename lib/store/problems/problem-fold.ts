import type { Fingerprint } from "../../engine/problems/fingerprint";
import type { CameBack, ProblemKind, ProblemState, ProblemStatus } from "../../engine/problems/problem";
import type { Membership } from "../../engine/problems/problem-tally";
import type { Db, Statement } from "../db";

/*
 * The statements of a fold, in its one transaction, under the lock of lockFold. The only other writers of problems are
 * operators' actions, one row each, which both lock; so a fold waits for an action and never the other way round for
 * long.
 */

/** The key that groups failures into problems. */
export interface ProblemKey extends Fingerprint {
  workflow: string;
  kind: ProblemKind;
}

const findStatement: Statement = {
  name: "find-problems",
  text: `
    select given.place, known.problem_id::text as id
    from jsonb_to_recordset($1::jsonb) as given (place int, workflow text, step text, kind text, rule int, fingerprint text)
    join handrail.problem_fingerprint as known using (workflow, step, kind, rule, fingerprint)`,
};

/** The ids of the problems, null where none exists, in the order of the keys. */
export async function findProblems(tx: Db, keys: readonly ProblemKey[]): Promise<(string | null)[]> {
  const found = await tx.query<{ place: number; id: string }>(findStatement, [
    JSON.stringify(keys.map((key, place) => ({ place, ...key }))),
  ]);
  const ids = new Map(found.map(({ place, id }) => [place, id]));
  return keys.map((_, place) => ids.get(place) ?? null);
}

const countStatement: Statement = {
  name: "count-problem-keys",
  text: `
    select count(*)::int as keys
    from (select from handrail.problem_fingerprint where workflow = $1 limit $2::int) as known`,
};

/** The number of keys of the workflow's problems; counting stops at `limit`. */
export async function countKeysOf(tx: Db, workflow: string, limit: number): Promise<number> {
  const [row] = await tx.query<{ keys: number }>(countStatement, [workflow, limit]);
  return row?.keys ?? 0;
}

const knowStatement: Statement = {
  name: "know-problems",
  text: `
    insert into handrail.problem_fingerprint (workflow, step, kind, rule, fingerprint, problem_id)
    select workflow, step, kind, rule, fingerprint, "problemId"
    from jsonb_to_recordset($1::jsonb) as given (workflow text, step text, kind text, rule smallint, fingerprint text, "problemId" uuid)
    on conflict do nothing`,
};

/** From now on these keys belong to these problems. */
export async function knowProblems(tx: Db, known: readonly (ProblemKey & { problemId: string })[]): Promise<void> {
  await tx.query(knowStatement, [JSON.stringify(known)]);
}

interface NewProblem {
  id: string;
  kind: ProblemKind;
  workflow: string;
  step: string | null;
  errorName: string;
  pattern: string;
  runId: string;
  atStep: string | null;
  version: number;
  error: string;
  atMs: number;
}

const createStatement: Statement = {
  name: "create-problem",
  text: `
    insert into handrail.problem (id, kind, workflow, step, error_name, pattern, first_at, last_at, example_run_id, example_step,
      example_version, example_error)
    values ($1::uuid, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000), to_timestamp($7::float8 / 1000), $8::uuid, $9, $10::int, $11)`,
};

/** Without a failure yet: what is folded next counts it. */
export async function createProblem(tx: Db, problem: NewProblem): Promise<void> {
  const { id, kind, workflow, step, errorName, pattern, atMs, runId, atStep, version, error } = problem;
  await tx.query(createStatement, [id, kind, workflow, step, errorName, pattern, atMs, runId, atStep, version, error]);
}

const lockStatement: Statement = {
  name: "lock-problems",
  text: `
    select id::text, status, failures, muted_to_count as "mutedToCount", resolved_in as "resolvedIn",
      extract(epoch from resolved_at)::float8 * 1000 as "resolvedAtMs", came_back as "cameBack"
    from handrail.problem where id = any ($1::uuid[]) order by id for no key update`,
};

export interface LockedState extends ProblemState {
  id: string;
  cameBack: CameBack | null;
}

export const lockProblems = (tx: Db, ids: readonly string[]) => tx.query<LockedState>(lockStatement, [ids]);

export interface FoldedProblem {
  id: string;
  status: ProblemStatus;
  statusChanged: boolean;
  /** Null: unchanged. */
  cameBack: CameBack | null;
  failures: number;
  exhausted: number;
  returned: number;
  openRuns: number;
  firstMs: number | null;
  newest: { runId: string; atMs: number; step: string | null; version: number; error: string } | null;
}

const foldStatement: Statement = {
  name: "fold-problems",
  text: `
    update handrail.problem set
      status = given.status,
      revision = revision + case when "statusChanged" then 1 else 0 end,
      resolved_at = case when given.status = 'resolved' then resolved_at end,
      resolved_in = case when given.status = 'resolved' then resolved_in end,
      muted_until = case when given.status = 'muted' then muted_until end,
      muted_to_count = case when given.status = 'muted' then muted_to_count end,
      came_back = coalesce("cameBack", came_back),
      came_back_at = case when "cameBack" is null then came_back_at else clock_timestamp() end,
      failures = problem.failures + given.failures, exhausted = problem.exhausted + given.exhausted,
      returned = problem.returned + given.returned, open_runs = open_runs + "openRuns",
      calm_at = case when open_runs + "openRuns" > 0 then null
        when given.failures > 0 then clock_timestamp() else coalesce(calm_at, clock_timestamp()) end,
      first_at = least(first_at, to_timestamp("firstMs" / 1000)), last_at = greatest(last_at, to_timestamp("newestMs" / 1000)),
      example_run_id = case when "isNewer" then "runId" else example_run_id end,
      example_step = case when "isNewer" then step_of else example_step end,
      example_version = case when "isNewer" then version else example_version end,
      example_error = case when "isNewer" then error else example_error end
    from (
      select given.*, before.last_at <= to_timestamp("newestMs" / 1000) as "isNewer"
      from jsonb_to_recordset($1::jsonb) as given (id uuid, status text, "statusChanged" bool, "cameBack" text, failures int,
        exhausted int, returned int, "openRuns" int, "firstMs" float8, "newestMs" float8, "runId" uuid, step_of text, version int, error text)
      join handrail.problem as before on before.id = given.id
    ) as given
    where problem.id = given.id`,
};

export async function writeProblems(tx: Db, folded: readonly FoldedProblem[]): Promise<void> {
  const rows = folded.map(({ newest, ...problem }) => ({
    ...problem,
    newestMs: newest?.atMs ?? null,
    runId: newest?.runId ?? null,
    step_of: newest?.step ?? null,
    version: newest?.version ?? null,
    error: newest?.error ?? null,
  }));
  await tx.query(foldStatement, [JSON.stringify(rows)]);
}

/** In the order of the key, as deletions lock them. */
const countsStatement: Statement = {
  name: "count-failures-of-problems",
  text: `
    insert into handrail.problem_count (problem_id, minutes, at, failures)
    select id, minutes, to_timestamp("beginsMs" / 1000), failures
    from jsonb_to_recordset($1::jsonb) as given (id uuid, minutes smallint, "beginsMs" float8, failures int)
    order by id, minutes, "beginsMs"
    on conflict (problem_id, minutes, at) do update set failures = problem_count.failures + excluded.failures`,
};

interface FailureCount {
  id: string;
  minutes: number;
  beginsMs: number;
  failures: number;
}

export async function addCounts(tx: Db, counts: readonly FailureCount[]): Promise<void> {
  await tx.query(countsStatement, [JSON.stringify(counts)]);
}

const versionsStatement: Statement = {
  name: "count-versions-of-problems",
  text: `
    insert into handrail.problem_version (problem_id, version, failures, first_at, last_at)
    select id, version, count(*), to_timestamp(min("atMs") / 1000), to_timestamp(max("atMs") / 1000)
    from jsonb_to_recordset($1::jsonb) as given (id uuid, version int, "atMs" float8)
    group by id, version
    on conflict (problem_id, version) do update set failures = problem_version.failures + excluded.failures,
      first_at = least(problem_version.first_at, excluded.first_at), last_at = greatest(problem_version.last_at, excluded.last_at)`,
};

export async function addVersions(tx: Db, failures: readonly { id: string; version: number; atMs: number }[]) {
  await tx.query(versionsStatement, [JSON.stringify(failures)]);
}

const membershipsStatement: Statement = {
  name: "keep-problem-runs",
  text: `
    with gone as (
      delete from handrail.problem_run where run_id = any ($2::uuid[])
    )
    insert into handrail.problem_run (run_id, problem_id, since, left_at)
    select "runId", "problemId", to_timestamp("sinceMs" / 1000), to_timestamp("leftMs" / 1000)
    from jsonb_to_recordset($1::jsonb) as given ("runId" uuid, "problemId" uuid, "sinceMs" float8, "leftMs" float8)
    on conflict (run_id) do update set problem_id = excluded.problem_id, since = excluded.since, left_at = excluded.left_at`,
};

/** `gone`: runs that no longer exist. */
export async function keepMemberships(
  tx: Db,
  kept: readonly (Membership & { runId: string })[],
  gone: readonly string[],
): Promise<void> {
  await tx.query(membershipsStatement, [JSON.stringify(kept), gone]);
}
