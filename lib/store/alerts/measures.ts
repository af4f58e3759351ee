import { ALERT_KINDS, type AlertDefinition, type AlertKind } from "../../engine/alerts/alert-rule";
import type { Measured } from "../../engine/alerts/judge";
import { percentile } from "../../engine/flow/histogram";
import { heldUpByStore } from "../blobs/blob-waits";
import type { Db, Statement } from "../db";
import { needsAttention, OPEN_COMPENSATIONS } from "../runs/attention";
import { runOf } from "../runs-by-id";
import { firstTimers, NEW, oldestReady } from "../workers/fitting-runs";

/* What alert rules watch: one statement a kind, for all rules of it. Each reads a bounded number of rows. */

export type Watched = Pick<AlertDefinition, "kind" | "workflows" | "together" | "windowMs" | "minCount"> & {
  id: string;
};

/** Open things of one kind that are looked at, the oldest first. */
const LOOKED_AT = 1_000;
/** Workflows of a rule for every workflow whose backlog is looked at, the first registered ones; rules can name others. */
const BACKLOG_WORKFLOWS = 300;

const NOW = "(select clock_timestamp())";
const ageMs = (since: string) => `greatest(extract(epoch from ${NOW} - ${since})::float8 * 1000, 0)`;

const RULE = `rule as (
      select * from jsonb_to_recordset($1::jsonb) as given (id text, workflows text[], together boolean, "windowMs" float8, "minCount" int)
    )`;

/** Of each rule the worst row of a CTE `held` with the columns workflow, subject and value. */
const WORST = `
    select rule.id, worst.subject, worst.value from rule cross join lateral (
      select subject, value from held where rule.workflows is null or workflow = any (rule.workflows)
      order by value desc, subject limit 1) as worst`;

/** The counts of each window that rules have, by workflow and (workflow null) of all: as many rows as charts read. */
const COUNTED = `span as (
      select distinct "windowMs" as ms, case when "windowMs" <= 3600000 then 1 else 15 end::smallint as minutes from rule
    ), counted as materialized (
      select span.ms, held.* from span join handrail.run_rollup as held on held.minutes = span.minutes
        and held.at >= date_bin(span.minutes * interval '1 minute', ${NOW}, 'epoch') - span.ms * interval '1 ms'
      where not starts_with(held.workflow, 'handrail.')
    )`;

const WORST_COUNTED = `
    select rule.id, worst.subject, worst.value from rule cross join lateral (
      select workflow as subject, value from held
      where held.ms = rule."windowMs" and held.ended >= rule."minCount" and (held.workflow is null) = rule.together
        and (rule.workflows is null or held.workflow = any (rule.workflows))
      order by value desc, subject limit 1) as worst`;

const STATEMENTS: Record<AlertKind, string> = {
  failure_ratio: `
    with ${RULE}, ${COUNTED}, held as (
      select ms, workflow, sum(failed)::float8 / nullif(sum(completed + failed), 0) as value, sum(completed + failed) as ended
      from counted group by grouping sets ((ms, workflow), (ms))
    ) ${WORST_COUNTED}`,
  // The value is the bucket of the histogram.
  duration_p95: `
    with ${RULE}, ${COUNTED}, merged as (
      select ms, workflow, bucket, sum(count) as count
      from counted cross join lateral unnest(took_buckets, took_counts) as took (bucket, count)
      group by grouping sets ((ms, workflow, bucket), (ms, bucket))
    ), ranked as (
      select ms, workflow, bucket, sum(count) over (partition by ms, workflow order by bucket) as upto,
        sum(count) over (partition by ms, workflow) as ended
      from merged
    ), held as (
      select ms, workflow, min(bucket) filter (where upto >= ceil(ended * 0.95))::float8 as value, max(ended) as ended
      from ranked group by ms, workflow
    ) ${WORST_COUNTED}`,
  backlog_age: `
    with ${RULE}, named as (
      select unnest(workflows) as workflow from rule
      union
      select name from (
        select name from handrail.workflow where exists (select from rule where workflows is null) and not starts_with(name, 'handrail.')
        group by name order by min(registered_at), name limit ${BACKLOG_WORKFLOWS}) as first
    ), held as materialized (
      select workflow, workflow as subject, ${ageMs("oldest.since")} as value
      from named cross join lateral (
        select min(head.since) as since from (
          select since from ${oldestReady("named.workflow")} as ready
          union all
          select due_at from ${firstTimers(NEW, "named.workflow", `run.due_at <= ${NOW}`, "1")} as delayed
        ) as head) as oldest
      where oldest.since is not null and not exists (select from handrail.closed_intake as closed where closed.workflow = named.workflow)
    ) ${WORST}`,
  live_workers: `
    with ${RULE}
    select rule.id, worst.subject, worst.value from rule cross join lateral (
      select named.workflow as subject, (
        select count(*)::float8 from handrail.worker
        where stopped_at is null and stopping_at is null and lease_expires_at > ${NOW}
          and (named.workflow is null or named.workflow = any (worker.workflows))) as value
      from unnest(coalesce(rule.workflows, array[null]::text[])) as named (workflow)
      order by value, subject limit 1) as worst`,
  unknown_outcome_age: `
    with ${RULE}, held as materialized (
      select workflow, workflow as subject, ${ageMs("coalesce(finished_at, waiting_since, created_at)")} as value
      from handrail.run where ${needsAttention("run", "'outcome_unknown'")} order by id limit ${LOOKED_AT}
    ) ${WORST}`,
  compensation_age: `
    with ${RULE}, held as materialized (
      select run.workflow, run.workflow as subject, ${ageMs("open.owed_at")} as value
      from (select run_id, owed_at from handrail.compensation where ${OPEN_COMPENSATIONS} order by owed_at limit ${LOOKED_AT}) as open
      cross join ${runOf("open.run_id", "workflow")} as run
    ) ${WORST}`,
  schedule_late: `
    with ${RULE}, held as materialized (
      select workflow, name as subject, ${ageMs("look_at")} as value from handrail.schedule
      where look_at <= ${NOW} order by look_at limit ${LOOKED_AT}
    ) ${WORST}`,
  blob_store_age: `
    with ${RULE}, held as materialized (
      select workflow, workflow as subject, ms as value from ${heldUpByStore(LOOKED_AT)} as held_up
    ) ${WORST}`,
};

/** What each of these rules watches, now, by its id. */
export async function measure(db: Db, rules: readonly Watched[]): Promise<Map<string, Measured>> {
  const kinds = ALERT_KINDS.filter((kind) => rules.some((rule) => rule.kind === kind));
  if (kinds.length === 0) return new Map();
  const rows = await db.query<{ kind: AlertKind; id: string; subject: string | null; value: number }>(
    together(kinds),
    kinds.map((kind) => JSON.stringify(rules.filter((rule) => rule.kind === kind))),
  );
  return new Map(rows.map(({ kind, id, subject, value }) => [id, { subject, value: measuredOf(kind, value) }]));
}

/** One statement for the kinds in use: each has separate CTEs, and one parameter. */
function together(kinds: readonly AlertKind[]): Statement {
  const parts = kinds.map(
    (kind, n) => `
    select '${kind}' as kind, ofkind.* from (${STATEMENTS[kind].replaceAll("$1", `$${n + 1}`)}) as ofkind (id, subject, value)`,
  );
  return { name: `measure-${kinds.map((kind) => ALERT_KINDS.indexOf(kind)).join("")}`, text: parts.join(" union all") };
}

const measuredOf = (kind: AlertKind, value: number): number | null =>
  kind === "duration_p95" ? percentile(new Map([[value, 1]]), 1) : value;

/** Of a past: periods as long as the window where that is counted for so long, otherwise longer ones. */
const HISTORY = `span as (
      select "windowMs" as ms, greatest("windowMs", minutes * 60000) as width, minutes, since from rule cross join lateral (
        select case when "windowMs" <= 900000 then 15 else 60 end::smallint as minutes,
          ${NOW} - case when "windowMs" <= 900000 then interval '5 days' else interval '7 days' end as since) as level
    ), counted as materialized (
      select floor(extract(epoch from held.at) * 1000 / span.width) as ms, span.width, held.* from span
      join handrail.run_rollup as held on held.minutes = span.minutes and held.at >= span.since
      where not starts_with(held.workflow, 'handrail.')
    )`;

const historyOf = (kind: AlertKind) =>
  STATEMENTS[kind].replace(COUNTED, HISTORY).replace(
    WORST_COUNTED,
    `
    select held.ms as place, max(value)::float8 as value, (select width from span)::float8 as width from rule, held
    where held.ended >= rule."minCount" and (held.workflow is null) = rule.together
      and (rule.workflows is null or held.workflow = any (rule.workflows))
    group by held.ms order by held.ms`,
  );

const historyStatements: Partial<Record<AlertKind, Statement>> = {
  failure_ratio: { name: "history-failure-ratio", text: historyOf("failure_ratio") },
  duration_p95: { name: "history-duration-p95", text: historyOf("duration_p95") },
};

interface History {
  widthMs: number;
  /** By period, oldest first; null where too little ended. */
  values: (number | null)[];
}

/** What a rule would have watched in the last days; null for kinds of which nothing is counted. */
export async function measurePast(db: Db, rule: Watched): Promise<History | null> {
  const statement = historyStatements[rule.kind];
  if (!statement) return null;
  const rows = await db.query<{ place: number; value: number; width: number }>(statement, [JSON.stringify([rule])]);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return { widthMs: rule.windowMs ?? 0, values: [] };
  const byPlace = new Map(rows.map(({ place, value }) => [place, measuredOf(rule.kind, value)]));
  const values = Array.from({ length: last.place - first.place + 1 }, (_, n) => byPlace.get(first.place + n) ?? null);
  return { widthMs: first.width, values };
}
