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
const eachVersion = (workflow: string, part: string) => `(
          with recursive each as (
            (select ${NEEDS} as needs from handrail.run where run.workflow = ${workflow} and ${part} order by ${NEEDS} limit 1)
            union all
            select next.needs from each cross join lateral (
              select ${NEEDS} as needs from handrail.run
              where run.workflow = ${workflow} and ${part} and ${NEEDS} > each.needs order by ${NEEDS} limit 1) as next
          ) select needs from each)`;

/** The first runs of each version of a workflow in one of the parts, in the order of its index. */
const firstOfEach = (workflow: string, part: string, what: string, where: string, order: string, limit: string) => `
          (select head.* from ${eachVersion(workflow, part)} as version cross join lateral (
            select ${what} from handrail.run
            where run.workflow = ${workflow} and ${NEEDS} = version.needs and ${part} ${where}
            order by ${order} limit ${limit}) as head)`;

/** For each version of a workflow, the first ready runs that have not begun. */
export const firstReady = (workflow: string, what: string, limit: string) =>
  firstOfEach(workflow, `${READY} and ${NEW}`, what, "", "run.priority desc, run.id", limit);

/**
 * For each version of a workflow, the first timers outside of queues that match `where`: delayed starts or begun runs.
 */
export const firstTimers = (
  kind: typeof NEW | typeof BEGUN,
  workflow: string,
  where: string,
  limit: string,
  what = "run.due_at",
) => firstOfEach(workflow, `${TIMED} and ${kind}`, what, `and ${where}`, "run.due_at", limit);
