import { NEEDS } from "../workflows/fitting-versions";

/** Claimable outside of queues. */
export const READY = "run.queue_key is null and run.status = 'pending' and run.due_at is null";
/** Waits for an instant outside of queues. */
export const TIMED = "run.queue_key is null and run.due_at is not null";
export const NEW = "run.started_at is null";
export const BEGUN = "run.started_at is not null";

/** As the predicates of the indexes `run_ready_new`, `run_ready_resumed`, `run_due_new` and `run_due_begun`. */
const PARTS = [
  `not fits.begun and ${READY} and ${NEW}`,
  `fits.begun and ${READY} and ${BEGUN}`,
  `not fits.begun and ${TIMED} and ${NEW}`,
  `fits.begun and ${TIMED} and ${BEGUN}`,
];

/** The lowest version above `low` that runs need, within a range `fits` of vacant versions: a step along each index. */
const nextNeeded = (low: string) => `(
        select needs from (${PARTS.map(
          (part) => `
          (select ${NEEDS} as needs from handrail.run
          where run.workflow = fits.workflow and ${part} and ${NEEDS} > ${low} and ${NEEDS} < fits.high
          order by ${NEEDS} limit 1)`,
        ).join(" union all")}
        ) as part
        order by needs limit 1
      )`;

const ownFits = (kinds: string) => `
      select own.workflow, kind.begun, sign * own.version as needs
      from own join workflow on workflow.name = own.workflow, unnest(array[${kinds}]) as kind (begun), (values (1), (-1)) as way (sign)`;

/** As `fitsOf`, for the worker's versions alone, over `ownVersions`. */
export const ownFitsOf = (kinds: string) => `fits as (${ownFits(kinds)})`;

/**
 * The versions whose runs a claim searches, begun and other runs separately, as CTEs over a CTE `workflow` and those of
 * `fittingVersions`. `kinds` lists the parts: `true` for begun runs, `false` for others.
 */
export const fitsOf = (kinds: string) => `needed as (
      select fits.workflow, fits.begun, fits.high, next.needs
      from vacant as fits join workflow on workflow.name = fits.workflow cross join lateral ${nextNeeded("fits.low")} as next
      where fits.begun in (${kinds})
      union all
      select fits.workflow, fits.begun, fits.high, next.needs
      from needed as fits cross join lateral ${nextNeeded("fits.needs")} as next
    ), fits as (${ownFits(kinds)}
      union all
      select workflow, begun, needs from needed
    )`;

/** The first runs of a version `fits` in this state: a walk along the head of one index. */
export const walk = (what: string, state: string, order: string, limit: string) => `(
        (select run.id, ${what} from handrail.run
        where run.workflow = fits.workflow and ${NEEDS} = fits.needs and not fits.begun and ${state} and ${NEW}
        order by ${order} limit ${limit})
        union all
        (select run.id, ${what} from handrail.run
        where run.workflow = fits.workflow and ${NEEDS} = fits.needs and fits.begun and ${state} and ${BEGUN}
        order by ${order} limit ${limit})
      )`;

/** When the first timer of a version `fits` is due. */
export const FIRST_TIMER = walk("run.due_at", TIMED, "run.due_at", "1");

/** For reads of all versions: those that runs of a workflow need in one of the parts, as a table of `needs`. */
export const eachVersion = (workflow: string, part: string) => `(
          with recursive each as (
            (select ${NEEDS} as needs from handrail.run where run.workflow = ${workflow} and ${part} order by ${NEEDS} limit 1)
            union all
            select next.needs from each cross join lateral (
              select ${NEEDS} as needs from handrail.run
              where run.workflow = ${workflow} and ${part} and ${NEEDS} > each.needs order by ${NEEDS} limit 1) as next
          ) select needs from each)`;

const READY_NEW = `${READY} and ${NEW}`;

/** The first ready run that has not begun of a version `version`, among those that match `where`. */
const firstReadyNew = (workflow: string, where = "true") => `(
              select run.priority, run.created_at as since from handrail.run
              where run.workflow = ${workflow} and ${NEEDS} = version.needs and ${READY_NEW} and ${where}
              order by run.priority desc, run.id limit 1)`;

/**
 * For each version of a workflow, since when the first ready run of each priority that has not begun waits: runs of a
 * higher priority are taken first, however long one of a lower has waited. A step along the index for each priority.
 */
export const oldestReady = (workflow: string) => `
          (select head.since from ${eachVersion(workflow, READY_NEW)} as version cross join lateral (
            with recursive first as (
              ${firstReadyNew(workflow)}
              union all
              select next.* from first cross join lateral ${firstReadyNew(workflow, "run.priority < first.priority")} as next
            ) select since from first) as head)`;

/**
 * For each version of a workflow, the first timers outside of queues that match `where`: delayed starts or begun runs.
 */
export const firstTimers = (
  kind: typeof NEW | typeof BEGUN,
  workflow: string,
  where: string,
  limit: string,
  what = "run.due_at",
) => `
          (select head.* from ${eachVersion(workflow, `${TIMED} and ${kind}`)} as version cross join lateral (
            select ${what} from handrail.run
            where run.workflow = ${workflow} and ${NEEDS} = version.needs and ${TIMED} and ${kind} and ${where}
            order by run.due_at limit ${limit}) as head)`;
