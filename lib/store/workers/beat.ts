import type { Db, Statement } from "../db";
import { SOME_OVERDUE } from "../runs/expire-starts";
import { nextScheduleInMs } from "../schedules/due-schedules";
import { type FittingVersions, versionValues } from "../workflows/fitting-versions";
import { type Glance, glanceText, MISSES_BEATS } from "./glance";
import type { ProcessIdentity } from "./workers";

/** More machines than die at once. */
const MOST_LEASE_ENDS = 20;

/** Another worker with a valid lease. */
interface Neighbour {
  id: number;
  process: ProcessIdentity;
}

/*
 * What a worker learns after each beat: which of its runs an operator wants cancelled or paused, which workflows are held,
 * which runs have to check what they wait for, whether any other worker is silent, and when the leases of workers end that
 * miss their beats while they own runs, whether lost runs wait for their turn, whether runs have not begun in time, the other
 * workers on the same host (this worker can detect their death long before their lease ends), how many share its work, when
 * its first schedule is due, and whether a migration requires it to drain. `me` is its own row, none if its lease is over.
 */
const NEWS = `exists (select from me) as held,
      array(select id::text from handrail.run where worker_id = $1::bigint and cancel_requested_at is not null) as cancelled,
      array(select id::text from handrail.run where worker_id = $1::bigint and cancel_requested_at is null
        and pause_requested_at is not null) as paused,
      (select nullif(held_workflows, '{}') from me) as held_workflows,
      array(select id::text from handrail.run where worker_id = $1::bigint and woken_at is not null) as woken,
      exists (select from handrail.worker where stopped_at is null and lease_expires_at < clock_timestamp()
        and id <> $1::bigint) as others_lost,
      array(select (extract(epoch from other.lease_expires_at - clock_timestamp()) * 1000)::float8 from handrail.worker as other
        where other.stopped_at is null and other.id <> $1::bigint and other.lease_expires_at >= clock_timestamp() and ${MISSES_BEATS}
        order by other.lease_expires_at limit ${MOST_LEASE_ENDS}) as lease_ends_in_ms,
      exists (select from handrail.suspect) as suspects,
      ${SOME_OVERDUE} as overdue,
      exists (select from handrail.run where tells_parent and finished_at is not null) as untold,
      (select coalesce(json_agg(json_build_object('id', other.id, 'process',
          json_build_object('host', other.host, 'pid', other.pid, 'start', other.process_start))), '[]')
        from handrail.worker as mine join handrail.worker as other using (host)
        where mine.id = $1::bigint and other.id <> mine.id and other.stopped_at is null
          and other.lease_expires_at > clock_timestamp()) as neighbours,
      (select count(*)::int from me join handrail.worker as other on other.workflows && me.workflows
        where other.stopped_at is null and other.stopping_at is null
          and other.lease_expires_at > clock_timestamp()) as sharers,
      exists (select from handrail.drain where until_at > clock_timestamp()) as draining,
      (select first.ms from me, lateral (${nextScheduleInMs("me")}) as first (ms)) as next_schedule_in_ms`;

const ME = `with me as (
      select id, schedules, workflows, held_workflows from handrail.worker
      where id = $1::bigint and stopped_at is null and lease_expires_at > clock_timestamp()
    )`;

/*
 * Extends the lease, only while it is valid: a worker declared lost stays lost. An idle worker asks for a longer lease, so that
 * it has to beat less often; and nobody must wait that long for its runs when it dies. So the longer lease is given only
 * if nothing has touched the row since the beat that the worker names by its time (`$5`): a claim of this worker that
 * took runs meanwhile has shortened its lease, and would be overruled by a beat that was sent before it and comes after
 * it. PostgreSQL compares the row as that claim left it.
 */
const beatStatement: Statement = {
  name: "beat",
  text: `
    update handrail.worker set heartbeat_at = clock_timestamp(), running = $2::int,
      lease_expires_at = clock_timestamp()
        + case when heartbeat_at = $5::timestamptz then $4::int else $3::int end * interval '1 ms'
    where id = $1::bigint and stopped_at is null and lease_expires_at > clock_timestamp()
    returning heartbeat_at::text as "beatAt", lease_expires_at >= heartbeat_at + $4::int * interval '1 ms' as long`,
};

// Not with the beat: whatever becomes slow here, beside any number of runs, costs no lease.
const newsStatement: Statement = { name: "news", text: `${ME} select ${NEWS}` };

/** A glance, and the news: one statement that writes nothing, for a worker between two beats that are far apart. */
const lookStatement: Statement = {
  name: "look",
  text: `${ME} select to_json(glance) as glance, ${NEWS} from (${glanceText}) as glance`,
};

/** What a worker learns of itself and the others. */
export interface News {
  /** False: the lease has ended, and others may own this worker's runs. */
  held: boolean;
  /** Runs of this worker that an operator wants cancelled. */
  cancelled: string[];
  /** Runs of this worker that an operator wants paused. */
  paused: string[];
  /** Workflows whose runs an operator wants held, all of them. */
  heldWorkflows: string[];
  /** Runs of this worker for which something they wait for has come. */
  woken: string[];
  othersLost: boolean;
  /** Until the leases end of workers that own runs and miss their beats, in milliseconds, soonest first; 20 at most. */
  leaseEndsInMs: number[];
  /** Whether lost runs may be waiting for their turn. */
  suspects: boolean;
  /** Whether runs have not begun in time. */
  overdue: boolean;
  /** Whether a child's end has not been reported to its parent: that is in progress, or the reporting process died. */
  untold: boolean;
  /** Empty if processes cannot be distinguished. */
  neighbours: Neighbour[];
  /** Workers that share some of its workflows, itself included. */
  sharers: number;
  /** A migration requires it to hand everything back and end. */
  draining: boolean;
  /** Until the first schedule of this worker is due; null if it has none. */
  nextScheduleInMs: number | null;
}

export interface Beat {
  /** Its time, as the database writes it. */
  beatAt: string;
  /** The longer lease was given. */
  long: boolean;
}

interface NewsRow extends Omit<News, "othersLost" | "leaseEndsInMs" | "nextScheduleInMs" | "heldWorkflows"> {
  held_workflows: string[] | null;
  others_lost: boolean;
  lease_ends_in_ms: number[];
  next_schedule_in_ms: number | null;
}

function newsOf<Row extends NewsRow>(row: Row) {
  const { others_lost, lease_ends_in_ms, next_schedule_in_ms, held_workflows, ...rest } = row;
  return {
    ...rest,
    othersLost: others_lost,
    leaseEndsInMs: lease_ends_in_ms,
    nextScheduleInMs: next_schedule_in_ms,
    heldWorkflows: held_workflows ?? [],
  };
}

/** The longer lease, and the time of the last answered beat (`Beat.beatAt`), after which it may be given. */
export interface LongLease {
  ms: number;
  after: string | null;
}

/** Null: the lease has ended, and others may own this worker's runs. */
export async function beat(
  db: Db,
  workerId: number,
  running: number,
  leaseMs: number,
  long: LongLease = { ms: leaseMs, after: null },
): Promise<Beat | null> {
  const [row] = await db.query<Beat>(beatStatement, [workerId, running, leaseMs, long.ms, long.after]);
  return row ? { ...row, long: long.after !== null && row.long } : null;
}

export async function readNews(db: Db, workerId: number): Promise<News> {
  const [row] = await db.query<NewsRow>(newsStatement, [workerId]);
  return newsOf(row as NonNullable<typeof row>);
}

export async function look(db: Db, workerId: number, fitting: FittingVersions): Promise<Glance & { news: News }> {
  const [row] = await db.query<{ glance: Glance } & NewsRow>(lookStatement, [workerId, ...versionValues(fitting)]);
  const { glance, ...news } = row as NonNullable<typeof row>;
  return { ...glance, news: newsOf(news) };
}
