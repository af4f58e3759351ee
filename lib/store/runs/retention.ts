import { ERASED_VALUE } from "../../engine/privacy/erased";
import type { Retention } from "../../engine/runs/retention";
import type { Db, Statement } from "../db";
import { traceIdOf } from "../spans/trace-id";

/**
 * Rows that are deleted with their run. People's actions stay: `audit`. Events and the run's problem are handled
 * separately: a problem that still holds the run is updated by the feed (problem-feed.ts).
 */
export const PARTS_OF_A_RUN = [
  "attempt",
  "step",
  "compensation",
  "lost_claim",
  "suspect",
  "version_change",
  "drift",
  "snooze",
  "run_tag",
  "event_wait",
  "permit",
  "permit_wait",
  "blob_wait",
  "log",
  "progress",
  "new_run",
  "run_end",
  "span",
] as const;

/** `counted_ms`: the longest period in which one of a workflow's rates counts the runs that have begun; null without a rate. */
const policiesOf = (which: string) => `
    select name as workflow, title, retention, (
        select max(per_ms) from (values ((limits -> 'rate' ->> 'perMs')::float8), ((limits -> 'totalRate' ->> 'perMs')::float8),
          ((select greatest(rate_per_ms, total_rate_per_ms) from handrail.queue_limit where queue_limit.workflow = name)::float8)
        ) as rate (per_ms)) as counted_ms
    from (
      select distinct on (name) name, title, retention, limits from handrail.workflow order by name, version desc
    ) newest
    ${which}`;

/** For the newest version of each workflow with limited retention. */
export const policies = policiesOf("where retention is not null and retention <> '{}'");
/** For every workflow. */
export const everyPolicy = policiesOf("");

/** Why an ended run is still needed, as conditions on a `run` joined with `policy`. */
export const NEEDED = {
  /** It waits for a person: an unknown outcome, or a compensation without an end. */
  attention: `(coalesce(run.attention <> 'failed', false) or exists (select from handrail.compensation
        where compensation.run_id = run.id and compensation.status in ('owed', 'running', 'failed')))`,
  /** The charts have yet to count its end. */
  uncounted: `not coalesce(run.finished_at < clock_timestamp() - interval '1 hour'
        or (run.finished_at, run.id) <= (select ended_at, ended_id from handrail.rollup_fold), false)`,
  /** A rate still counts its start: without it, more would begin. */
  rate: `coalesce(run.queue_key is not null and run.started_at > clock_timestamp() - policy.counted_ms * interval '1 ms', false)`,
} as const;

/** A run past its retention that nothing else needs: joined with `policy`. Ignores its children. */
export const IS_PAST_RETENTION = `
    coalesce(run.finished_at < clock_timestamp() - (policy.retention ->> (run.status || 'Ms'))::float8 * interval '1 ms', false)
      and not (${Object.values(NEEDED).join(" or ")})`;

/** A run that began after this cannot have exceeded any retention of its workflow. As the bytes of an id. */
export const lastOldEnough = `(
    lpad(to_hex((extract(epoch from (select clock_timestamp())
      - (select min(kept.value::float8) from jsonb_each_text(policy.retention) as kept) * interval '1 ms') * 1000)::bigint), 12, '0')
      || repeat('f', 20))::uuid`;

const policiesStatement: Statement = { name: "retention-policies", text: `${policies} order by workflow` };

export const listRetentions = (db: Db) => db.query<{ workflow: string; retention: Retention }>(policiesStatement, []);

/*
 * Old runs are found by walking a workflow's runs in the order of their ids, which is that of their start: an index by
 * end would add a cost to every run's end. The walk stops where no run can be old enough.
 */
const findStatement: Statement = {
  name: "find-expired-runs",
  text: `
    with policy as (${policies}
    ), looked as (
      select run.id, run.parent_run_id is null and ${IS_PAST_RETENTION} as expired
      from policy cross join lateral (
        select * from handrail.run
        where run.workflow = policy.workflow and run.id > $2::uuid and run.id < ${lastOldEnough}
        order by run.id limit $3::int
      ) run
      where policy.workflow = $1
    )
    select id::text, expired from looked order by id`,
};

interface LookedAtRun {
  id: string;
  expired: boolean;
}

/** The next expired runs of a workflow after the id `after`. Children are left out: they go with their parents. */
export const findExpiredRuns = (db: Db, workflow: string, after: string, limit: number) =>
  db.query<LookedAtRun>(findStatement, [workflow, after, limit]);

export const tree = `tree (root, id) as (
      select id, id from unnest($1::uuid[]) as given (id)
      union all
      select tree.root, child.id from tree join handrail.run as child on child.parent_run_id = tree.id
    )`;

const lockStatement: Statement = {
  name: "lock-expired-runs",
  text: `
    with recursive ${tree}
    select run.id::text from handrail.run where run.id in (select id from tree) order by run.id
    for update skip locked`,
};

/** Locks the runs and their descendants, skipping locked ones. */
export async function lockForDeletion(tx: Db, roots: readonly string[]): Promise<string[]> {
  return (await tx.query<{ id: string }>(lockStatement, [roots])).map(({ id }) => id);
}

/** Of runs, and of spans that name one: its worker may have chosen another trace than the start did. */
const TRACES_OF_GONE = `
      select ${traceIdOf("run")} as trace_id from handrail.run where id in (select id from gone)
      union select trace_id from handrail.span where run_id in (select id from gone)`;

/** Common table expressions that delete the spans without a run of the traces that no other run than those in `gone` has. */
export const NO_SPANS_OF_TRACES = `traces as (${TRACES_OF_GONE}
    ), no_span_of_trace as (
      delete from handrail.span using traces where span.trace_id = traces.trace_id and span.run_id is null
        and not exists (select from handrail.run where substr(run.trace, 4, 32) = traces.trace_id and id not in (select id from gone))
        and not exists (select from handrail.span as other
          where other.trace_id = traces.trace_id and other.run_id not in (select id from gone))
    )`;

/** For a row `event` that no run took: it started a run in `gone`. handrail.put_event makes the keys. */
export const BEGAN_GONE = `event.run_id is null and event.taken_by is null and (event.name, event.id) in (
        select begun_by_event, substr(idempotency_key, length('event:' || begun_by_event || ':') + 1) from handrail.run
        where id in (select id from gone) and starts_with(idempotency_key, 'event:' || begun_by_event || ':'))`;

/*
 * Guarantee: a run is deleted with all of its rows and all of its descendants, or not at all; and only if every one of
 * them may go and is held by this transaction. Checked after the locks, by a statement that sees what came
 * before them: an earlier rerun keeps its run; a later one finds none. A start with the same idempotency key waits on
 * the unique index for this transaction's end, and then begins a new run. The event that started a run keeps its id, so that
 * it does not start another, and its payload only where a later wait can take it by its key.
 */
export const deletion = (name: string, { policy, mayGo }: { policy: string; mayGo: string }): Statement => ({
  name,
  text: `
    with recursive ${tree}, policy as (${policy}
    ), judged as (
      select tree.root, run.id, run.id = any ($2::uuid[]) and ${mayGo} as may_go
      from tree join handrail.run on run.id = tree.id left join policy on policy.workflow = run.workflow
    ), gone as (
      select id from judged where root not in (select root from judged where not may_go)
    ), ${PARTS_OF_A_RUN.map((part) => `no_${part} as (delete from handrail.${part} using gone where run_id = gone.id)`).join(", ")},
    no_blob as (
      update handrail.blob set gone_at = clock_timestamp(), due_at = clock_timestamp()
      from gone where blob.run_id = gone.id and gone_at is null
    ), no_event as (
      delete from handrail.event where seq = any (array(
        select seq from handrail.event where run_id = any (array(select id from gone))
        union all select seq from handrail.event where taken_by = any (array(select id from gone))))
    ), event_of_start as (
      update handrail.event set payload = '${ERASED_VALUE}' where key is null and ${BEGAN_GONE}
    ), ${NO_SPANS_OF_TRACES}, no_firing as (
      delete from handrail.firing using gone where run_id = gone.id returning schedule, nominal_at
    ), forgotten as (
      update handrail.schedule set forgotten_until = greatest(forgotten_until, last.nominal_at + interval '1 ms')
      from (select schedule, max(nominal_at) as nominal_at from no_firing group by schedule) as last
      where schedule.name = last.schedule
    )
    delete from handrail.run using gone where run.id = gone.id returning run.id::text, run.workflow, run.status`,
});

const deleteStatement = deletion("delete-expired-runs", {
  policy: policies,
  mayGo: `policy.workflow is not null and ${IS_PAST_RETENTION}`,
});

/** `locked`: the runs that this transaction holds. Returns the ids of the deleted runs. */
export async function deleteExpired(tx: Db, roots: readonly string[], locked: readonly string[]): Promise<string[]> {
  return (await tx.query<{ id: string }>(deleteStatement, [roots, locked])).map(({ id }) => id);
}

/** How long the Idempotency-Key of a mutation is kept. */
export const REQUESTS_KEPT_MS = 30 * 86_400_000;
/** How long nominal times without a run are kept. */
const UNSTARTED_KEPT_MS = 30 * 86_400_000;
/** How long it is kept in which cell an idempotency key lives: longer than processes with another list of cells run. */
const PLACED_KEYS_KEPT_MS = 30 * 86_400_000;

const restStatement: Statement = {
  name: "delete-old-requests",
  text: `
    with no_firing as (
      delete from handrail.firing where (schedule, nominal_at) in (
        select schedule, nominal_at from handrail.firing
        where run_id is null and status <> 'queued' and fired_at < (select clock_timestamp()) - $2::float8 * interval '1 ms'
        order by fired_at limit $3::int for update skip locked)
      returning schedule
    ), no_request as (
      delete from handrail.request where key in (
        select key from handrail.request where created_at < (select clock_timestamp()) - $1::float8 * interval '1 ms'
        order by created_at limit $3::int for update skip locked)
      returning key
    ), no_place as (
      delete from handrail.placed_key where digest in (
        select digest from handrail.placed_key where placed_at < (select clock_timestamp()) - $4::float8 * interval '1 ms'
        order by placed_at limit $3::int for update skip locked)
      returning digest
    )
    select greatest((select count(*) from no_firing), (select count(*) from no_request), (select count(*) from no_place))::int as deleted`,
};

/** Deletes old answers to requests, nominal times without a run, and places of keys, up to `limit` of each; returns how many of the most numerous ones. */
export async function deleteOldRequests(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(restStatement, [
    REQUESTS_KEPT_MS,
    UNSTARTED_KEPT_MS,
    limit,
    PLACED_KEYS_KEPT_MS,
  ]);
  return row?.deleted ?? 0;
}
