import { versionsByName } from "../../engine/workflows/workflow-versions";

/** A version of a workflow that a worker has. */
export interface VersionAtHand {
  name: string;
  version: number;
}

/**
 * The version that a row `run` of `handrail.run` needs: the one that last claimed it, or the one it was started as.
 * Negative if an operator chose it: then no other version may claim it. It leads the indexes that claims walk, so that
 * runs of one version are never skipped on the way to those of another.
 */
export const NEEDS = "coalesce(-run.chosen_version, run.code_version, run.version)";

const NO_BOUND = 2_147_483_647;

/** Parameters of `fittingVersions`. */
export const VERSION_PARAMETERS = 4;
/** Of `ownVersions`. */
export const OWN_PARAMETERS = 2;

/** What a worker has, for the claims that it makes. */
export interface FittingVersions {
  versions: readonly VersionAtHand[];
  /** How long a version has no live worker before another version continues its begun runs, in milliseconds. */
  waitMs: number;
}

/** The parameters of `ownVersions`. */
export const ownValues = (versions: readonly VersionAtHand[]) => [
  versions.map(({ name }) => name),
  versions.map(({ version }) => version),
];

export const versionValues = ({ versions, waitMs }: FittingVersions) => [
  ...ownValues(versions),
  JSON.stringify(versionsByName(versions)),
  waitMs,
];

/** The versions that the worker has, as a CTE `own` over the parameters from `$first` on. */
export const ownVersions = (first: number) => `own as (
      select workflow, version from unnest($${first}::text[], $${first + 1}::int[]) as own (workflow, version)
    )`;

/**
 * The one rule by which versions fit runs, as CTEs over the parameters from `$first` on.
 *
 * - `own`: the versions that the worker has. It takes every run that needs one of them.
 * - `vacant`: ranges of versions that it takes runs of besides, since no live worker has them. Runs that have not begun, where
 *   it has a newer version; runs that have begun, where it has the newest version of all live workers, and no worker has
 *   had theirs for the wait. The code's `drift` then says whether they go on. Bounds are exclusive.
 *
 * Workers with the same versions as this one say nothing new and are left out by one comparison each.
 */
export const fittingVersions = (first: number) => `${ownVersions(first)}, instant as materialized (
      select clock_timestamp() as now, clock_timestamp() - $${first + 3}::float8 * interval '1 ms' as since
    ), other as materialized (
      select its.name as workflow, version::int as version, bool_or(live) as live
      from (
        select versions, stopping_at is null and lease_expires_at > (select now from instant) as live
        from handrail.worker
        where stopped_at is null and lease_expires_at > (select since from instant) and versions <> $${first + 2}::jsonb
          and (stopping_at is null or stopping_at > (select since from instant))
        union all
        select versions, false from handrail.worker
        where stopped_at > (select since from instant) and least(stopping_at, lease_expires_at) > (select since from instant)
          and versions <> $${first + 2}::jsonb
      ) as worker
      cross join jsonb_each(worker.versions) as its (name, versions)
      cross join jsonb_array_elements(its.versions) as version
      where its.name = any ($${first}::text[])
      group by its.name, version::int
    ), newest as (
      select workflow, max(version) as own,
        coalesce(greatest(max(version), (select max(version) from other where other.workflow = own.workflow and live)), 0) as live
      from own group by workflow
    ), vacant as (
      select workflow, begun, low, high from (
        select workflow, begun, version as low,
          coalesce(lead(version) over (partition by workflow, begun order by version), ${NO_BOUND}) as high
        from (
          select workflow, begun, version from own, (values (false), (true)) as kind (begun)
          union
          select workflow, begun, version from other, (values (false), (true)) as kind (begun) where live or begun
          union
          select workflow, begun, 0 from newest, (values (false), (true)) as kind (begun)
        ) as taken
      ) as range join newest using (workflow)
      where high > low + 1 and case when begun then newest.own = newest.live else low < newest.own end
    )`;
