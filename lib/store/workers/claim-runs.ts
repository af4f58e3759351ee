import type { Headers } from "../../engine/runs/headers";
import type { RunStatus } from "../../engine/runs/run";
import type { Effect, StepKind, StepStatus } from "../../engine/steps/step";
import type { TraceText } from "../../engine/traces/trace-context";
import type { Workflow } from "../../engine/workflows/workflow";
import { newestOf } from "../../engine/workflows/workflow-versions";
import type { Db, Statement } from "../db";
import { letDelayedStartsPass } from "../queues/delayed-starts";
import { AMONG } from "../runs-by-id";
import {
  fittingVersions,
  NEEDS,
  OWN_PARAMETERS,
  ownValues,
  ownVersions,
  VERSION_PARAMETERS,
  type VersionAtHand,
  versionValues,
} from "../workflows/fitting-versions";
import { BEGUN, FIRST_TIMER, fitsOf, ownFitsOf, READY, TIMED, walk } from "./fitting-runs";
import { shortenedLease } from "./shorten-lease";

/** A claimed run with all that its replay needs: replay itself reads nothing. */
export interface ClaimedRun {
  id: string;
  workflow: string;
  /** The version it began with. */
  version: number;
  /** The version that an operator has chosen for it; null leaves it to the worker. */
  chosenVersion: number | null;
  /** The version that claimed it last, if another than it began with. */
  codeVersion: number | null;
  status: Extract<RunStatus, "running" | "compensating">;
  epoch: number;
  generation: number;
  input: string;
  /** False: the worker has to validate it. */
  inputChecked: boolean;
  /** It has a title. */
  titled: boolean;
  /** Of a workflow with `singleton`: the key that it holds. */
  singletonKey: string | null;
  tags: Record<string, string> | null;
  headers: Headers | null;
  parentRunId: string | null;
  /** Of a page of `ctx.mapSteps`: the name of the map in its parent's code. */
  pageOf: string | null;
  createdAt: Date;
  /** The nominal time for which a schedule started it. */
  scheduledAt: Date | null;
  cancelRequested: boolean;
  /** Until the run's deadline, in milliseconds by the database's clock; null without one. */
  deadlineInMs: number | null;
  /** Its first claim came after the time by which its start wanted it begun: it is not to run. */
  expired: boolean;
  /** Workers that it lost since it last continued. */
  lostClaims: number;
  /** Of its start; null if that brought none. */
  trace: TraceText | null;
  /** Of the last claim that ended with a record while tracing was on. */
  claimTrace: TraceText | null;
  /**
   * Until its workflow's window ends, in milliseconds by the database's clock; null without one, absent if not queued.
   */
  windowEndsInMs?: number | null;
  steps: ClaimedStep[];
}

/** The latest row of one step. */
export interface ClaimedStep {
  name: string;
  kind: StepKind;
  effect: Effect;
  status: StepStatus;
  generation: number;
  position: number;
  finishedPosition: number | null;
  attempt: number;
  maxAttempts: number;
  failures: number;
  keyGeneration: number;
  output: string | null;
  error: string | null;
  doubt: string | null;
  /** The provider's id; for a child, the run's. */
  reference: string | null;
  workerId: number | null;
  /** When the next attempt or the end of the sleep is due, as the database writes instants; null for other states. */
  dueAt: string | null;
  /** The same as a delay. */
  dueInMs: number | null;
  /** Since the start of its last attempt, for the record of an attempt that was cut off. */
  startedMsAgo: number;
  /** Set if a rerun superseded this row: the key generation that its next execution uses. */
  nextKeyGeneration: number | null;
}

/** The assignments of a claim; `given` holds its workflow's timeout. */
export const takenBy = (worker: string) => `update handrail.run set
        status = case run.status when 'compensating' then 'compensating' else 'running' end,
        epoch = run.epoch + 1, revision = run.revision + 1, worker_id = ${worker}::bigint, due_at = null,
        waiting_kind = null, waiting_step = null, waiting_since = null,
        started_at = coalesce(run.started_at, clock_timestamp()),
        deadline_at = case when run.started_at is null
          then least(run.deadline_at, clock_timestamp() + given.timeout_ms * interval '1 ms')
          else coalesce(run.deadline_at, clock_timestamp() + given.timeout_ms * interval '1 ms') end`;

/** A row of steps as a `ClaimedStep`, and more fields of it. */
export const claimedStep = (
  more = "",
) => `json_build_object('name', name, 'kind', kind, 'effect', effect, 'status', status,
          'generation', generation, 'position', position, 'finishedPosition', finished_position, 'attempt', attempt, 'maxAttempts', max_attempts,
          'failures', failures, 'keyGeneration', key_generation, 'output', output, 'error', error, 'doubt', doubt, 'reference', reference,
          'workerId', worker_id, 'dueAt', next_attempt_at::text, 'dueInMs', extract(epoch from next_attempt_at - clock_timestamp()) * 1000,
          'startedMsAgo', extract(epoch from clock_timestamp() - started_at) * 1000,
          'nextKeyGeneration', next_key_generation${more})`;

/** The latest row of each step of a run in `claimed`. */
const LATEST_STEPS = `(
        select json_agg(${claimedStep()})
        from (
          select distinct on (name) * from handrail.step where step.run_id = claimed.id order by name, generation desc
        ) latest
      )`;

const RUN_FACTS = `id::text, workflow, version, chosen_version as "chosenVersion", code_version as "codeVersion", status, epoch, generation, input, input_checked as "inputChecked", run_title is not null as titled, singleton_key as "singletonKey", tags, headers,
      parent_run_id::text as "parentRunId", page_of as "pageOf",
      created_at as "createdAt", scheduled_at as "scheduledAt",
      cancel_requested_at is not null as "cancelRequested",
      (extract(epoch from deadline_at - clock_timestamp()) * 1000)::float8 as "deadlineInMs",
      coalesce(begin_by <= started_at, false) as expired,
      lost_claims as "lostClaims", trace, claim_trace as "claimTrace",`;

/** A row of `claimed` as a `ClaimedRun`. */
export const CLAIMED = `${RUN_FACTS}
      case when epoch = 1 then null else ${LATEST_STEPS} end as steps`;

/** The same for runs that are read and not claimed: one that was claimed before may have steps. */
export const AS_IF_CLAIMED = `${RUN_FACTS} ${LATEST_STEPS} as steps`;

/**
 * Checks the locked row again; wrapped, so that no index matches. The row may be newer than what the statement reads of steps: of one
 * with another revision a worker would run again what another has done since, however it rests now.
 */
const STILL = (state: string) =>
  `coalesce(${state} and run.revision = candidate.revision and ${NEEDS} = candidate.needs and (${BEGUN}) = candidate.begun, false)`;

/*
 * Guarantee: a run goes to one claimer, and every claim gets a new epoch. Only a worker with a valid lease claims: one
 * that was silent for too long may resume by claiming, before it learns that it was given up. It takes only runs that
 * its versions fit (fitting-versions.ts).
 * Races with: other claims (skip locked; the candidates are four times the limit, so that as many claimers find some
 * left), operators' actions (the condition is checked again on the locked row), the closing of this worker (the lock on
 * its row makes that one wait, and see what was claimed). Due runs take half of a claim at most, so that neither
 * starves the other. Each branch walks the head of a partial index, a version at a time: a backlog of millions, of any
 * workflow or version, is never sorted or passed over. The clock is read once, by a subquery: an index cannot be
 * searched for a volatile function. Queued runs are claimed elsewhere (claim-queued.ts), and are in none of these
 * indexes. Workflows with a closed intake are excluded, as the locked row of the worker says; their begun runs have a
 * separate claim. The conditions on locked rows are wrapped in coalesce, so that no index matches them: candidates are
 * looked up by primary key, never by a walk through all that is ready or asleep. `more`: a statement beside it, which may
 * read `claimed`.
 */
const claimText = (workflows: string, fits: string, more = "") => `
    with recursive me as (
      select closed_intakes, held_workflows from handrail.worker
      where id = $1::bigint and stopped_at is null and lease_expires_at > clock_timestamp()
      for key share
    ), workflow as (
      select name from me, unnest($2::text[]) as given (name) where ${workflows}
    ), ${fits}, due_candidate as (
      select timed.id, timed.revision, fits.begun, fits.needs from fits
      cross join lateral ${walk("run.due_at, run.revision", `${TIMED} and run.due_at <= (select now from instant)`, "run.due_at", "$3::int * 4")} as timed
      order by timed.due_at limit $3::int * 4
    ), due as (
      select run.id, run.workflow from handrail.run join due_candidate as candidate using (id)
      where ${AMONG("due_candidate")} and ${STILL("run.due_at <= clock_timestamp() and run.queue_key is null")}
      limit greatest($3::int / 2, 1)
      for no key update of run skip locked
    ), ready_candidate as (
      select ready.id, ready.priority, ready.revision, fits.begun, fits.needs from fits
      cross join lateral ${walk("run.priority, run.revision", READY, "run.priority desc, run.id", "$3::int * 4")} as ready
      order by ready.priority desc, ready.id limit $3::int * 4
    ), ready as (
      select run.id, run.workflow from handrail.run join ready_candidate as candidate using (id)
      where ${AMONG("ready_candidate")} and ${STILL(READY)}
      order by candidate.priority desc, run.id
      limit greatest($3::int - (select count(*) from due), 0)
      for no key update of run skip locked
    ), next as (
      select (extract(epoch from min(first.due_at) - clock_timestamp()) * 1000)::float8 as ms
      from fits cross join lateral ${FIRST_TIMER} as first
    ), taken as (
      select * from due union all select * from ready
    ), claimed as (
      ${takenBy("$1")}
      from taken join unnest($2::text[], $4::float8[]) as given (workflow, timeout_ms) using (workflow)
      where ${AMONG("taken")} and run.id = taken.id
      returning run.*
    )${more}
    select next.ms as "nextDueInMs", nullif(me.closed_intakes, '{}') as closed, nullif(me.held_workflows, '{}') as held, ${CLAIMED}
    from me cross join next left join claimed on true`;

const OPEN = "name <> all (me.closed_intakes)";

/** The statement of a claim, and the same for a worker whose lease may be the longer one, by its last parameter: what it takes shortens the lease. */
type ByLease = Readonly<Record<"busy" | "rested", Statement>>;

function statementsOf(name: string, workflows: string, fits: string, leaseMs: number): ByLease {
  const shortened = `, shortened as (${shortenedLease("$1", `$${leaseMs}`)} and exists (select from claimed)
    )`;
  return {
    busy: { name, text: claimText(workflows, fits) },
    rested: { name: `${name}-rested`, text: claimText(workflows, fits, shortened) },
  };
}

const claimStatement = statementsOf(
  "claim-runs",
  OPEN,
  `${fittingVersions(5)}, ${fitsOf("true, false")}`,
  5 + VERSION_PARAMETERS,
);

/** For the worker's versions alone: half the time, since what other workers have need not be known. */
const claimOwnStatement = statementsOf(
  "claim-own",
  OPEN,
  `${ownVersions(5)}, instant as materialized (select clock_timestamp() as now), ${ownFitsOf("true, false")}`,
  5 + OWN_PARAMETERS,
);

/** For workflows with a closed intake that are not held whole. Begun runs have separate indexes. */
const claimBegunStatement = statementsOf(
  "claim-begun",
  "name = any (me.closed_intakes) and name <> all (me.held_workflows)",
  `${fittingVersions(5)}, ${fitsOf("true")}`,
  5 + VERSION_PARAMETERS,
);

/** A claim's result: what it took, and when the next timer is due. */
export interface Claim {
  runs: ClaimedRun[];
  /**
   * Until the first timer of a run of these workflows, in milliseconds; null if there is none. As it was before the
   * claim: not positive if the claim took due runs, or another session holds one.
   */
  nextDueInMs: number | null;
  /** Workflows with a closed intake, and those of them that are held whole; absent if there are none. */
  closed?: string[];
  held?: string[];
}

export type ClaimedRow = Omit<ClaimedRun, "steps"> & { steps: ClaimedStep[] | null };
type ClaimRow = { nextDueInMs: number | null; closed: string[] | null; held: string[] | null } & (
  | { id: null }
  | ClaimedRow
);

/** A version of a workflow that the worker has. */
export type Claimable = VersionAtHand & Pick<Workflow, "timeoutMs">;

const claimsBy =
  (statements: ByLease) =>
  (
    db: Db,
    workerId: number,
    versions: readonly Claimable[],
    limit: number,
    waitMs = 0,
    leaseMs: number | null = null,
  ) =>
    claim(db, statements, workerId, versions, limit, versionValues({ versions, waitMs }), leaseMs);

/**
 * Claims at most `limit` runs that these versions fit, except closed intakes. `waitMs`: as in `FittingVersions`. `leaseMs`:
 * the worker's lease may be the longer one, and lasts this long from the commit on if the claim takes runs.
 */
export const claimRuns = claimsBy(claimStatement);

/** The same without runs of versions that no live worker has, which only other versions fit. */
export const claimOwn = (
  db: Db,
  workerId: number,
  versions: readonly Claimable[],
  limit: number,
  leaseMs: number | null,
) => claim(db, claimOwnStatement, workerId, versions, limit, ownValues(versions), leaseMs);

const claimBegunRuns = claimsBy(claimBegunStatement);

/** Claims at most `limit` begun runs of those of these workflows that have a closed intake. */
export async function claimBegun(...given: Parameters<typeof claimRuns>): Promise<Claim> {
  const [db, , versions] = given;
  await letDelayedStartsPass(db, [...new Set(versions.map(({ name }) => name))]);
  return claimBegunRuns(...given);
}

async function claim(
  db: Db,
  { busy, rested }: ByLease,
  workerId: number,
  versions: readonly Claimable[],
  limit: number,
  fitting: readonly unknown[],
  leaseMs: number | null,
): Promise<Claim> {
  const newest = newestOf(versions);
  const values = [
    workerId,
    newest.map(({ name }) => name),
    limit,
    newest.map(({ timeoutMs }) => timeoutMs ?? null),
    ...fitting,
  ];
  const rows = await (leaseMs === null
    ? db.query<ClaimRow>(busy, values)
    : db.query<ClaimRow>(rested, [...values, leaseMs]));
  const [{ nextDueInMs, closed, held } = NOTHING] = rows;
  return {
    runs: rows.flatMap((row) => (row.id === null ? [] : [claimedRun(row)])),
    nextDueInMs,
    ...(closed && { closed, held: held ?? [] }),
  };
}

/** The result for a worker with an expired lease. */
const NOTHING = { nextDueInMs: null, closed: null, held: null };

export const claimedRun = (row: ClaimedRow): ClaimedRun => ({ ...row, steps: row.steps ?? [] });
