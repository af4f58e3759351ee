import type { OperationStatus } from "../../engine/operations/operation";
import type { PlannedActName } from "../../engine/runs/operator-acts";
import type { RunStatus } from "../../engine/runs/run";
import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";

/*
 * Reads for search other than runs and problems. Small tables, bounded by what is in code, are scanned whole;
 * operations and the audit log grow, and are only read through an index.
 */

const workflowsStatement: Statement = {
  name: "search-workflows",
  text: `
    select name, title from (
      select distinct on (name) name, title from handrail.workflow
      where ($2::text[] is null or name = any ($2::text[])) and name not like 'handrail.%'
      order by name, version desc
    ) as newest
    where strpos(lower(name || ' ' || title), lower($1)) > 0
    order by strpos(lower(name || ' ' || title), lower($1)), name limit $3::int`,
};

/** By a part of the name or of the newest version's title. @param workflows null: all */
export const searchWorkflows = (db: Db, q: string, workflows: readonly string[] | null, limit: number) =>
  db.query<{ name: string; title: string }>(workflowsStatement, [q, workflows, limit]);

const schedulesStatement: Statement = {
  name: "search-schedules",
  text: `
    select name, title, workflow, paused_at from handrail.schedule
    where ($2::text[] is null or workflow = any ($2::text[])) and strpos(lower(name || ' ' || title), lower($1)) > 0
    order by strpos(lower(name || ' ' || title), lower($1)), name limit $3::int`,
};

interface FoundSchedule {
  name: string;
  title: string;
  workflow: string;
  paused_at: RowInstant | null;
}

export const searchSchedules = (db: Db, q: string, workflows: readonly string[] | null, limit: number) =>
  db.query<FoundSchedule>(schedulesStatement, [q, workflows, limit]);

/** Each way walks a separate index. */
const operationsStatement: Statement = {
  name: "search-operations",
  text: `
    select id, act, status, total, (select run.status from handrail.run where run.id = operation.run_id) as run_status
    from handrail.operation where id in (
        (select id from handrail.operation where id between $1::uuid and $2::uuid order by id desc limit $4::int)
        union (select id from handrail.operation where plan_id between $1::uuid and $2::uuid limit $4::int)
      ) and forgotten_at is null and ($3::text[] is null or workflows <@ $3::text[])
    order by id desc limit $4::int`,
};

interface FoundOperation {
  id: string;
  act: PlannedActName;
  status: OperationStatus;
  total: number;
  /** Of the run that carries it out; null without one. */
  run_status: RunStatus | null;
}

/** By their own ids or their plans', between two. */
export const searchOperations = (
  db: Db,
  [from, to]: readonly [string, string],
  workflows: readonly string[] | null,
  limit: number,
) => db.query<FoundOperation>(operationsStatement, [from, to, workflows, limit]);

const problemIdsStatement: Statement = {
  name: "search-problem-ids",
  text: `
    select id::text from handrail.problem
    where id between $1::uuid and $2::uuid and ($3::text[] is null or workflow = any ($3::text[])) order by id limit $4::int`,
};

export const searchProblemIds = (
  db: Db,
  [from, to]: readonly [string, string],
  workflows: readonly string[] | null,
  limit: number,
) => db.query<{ id: string }>(problemIdsStatement, [from, to, workflows, limit]);

/**
 * However many actions each actor has: from one name to the next along the index, at most as many times as the limit.
 */
const MOST_NAMES = 200;

const actorsStatement: Statement = {
  name: "search-actors",
  text: `
    with recursive walk (actor, steps) as (
      (select actor, 1 from handrail.audit order by actor limit 1)
      union all
      select next.actor, walk.steps + 1 from walk
      cross join lateral (select actor from handrail.audit where actor > walk.actor order by actor limit 1) as next
      where walk.steps < ${MOST_NAMES}
    )
    select actor as name from walk where strpos(lower(actor), lower($1)) > 0 order by strpos(lower(actor), lower($1)), actor
    limit $2::int`,
};

/** Actors in the audit log, by a part of the name; among the first 200 names. */
export const searchActors = (db: Db, q: string, limit: number) =>
  db.query<{ name: string }>(actorsStatement, [q, limit]);
