import { ALERTS_DUE } from "../alerts/alerts";
import type { Db, Statement } from "../db";
import { COUNT_DUE } from "../flow/rollup-feed";
import { FOLD_DUE } from "../logs/log-fold";
import { NOTICES_WAIT } from "../notices/notices";
import { PROBLEMS_WAIT } from "../problems/due-changes";
import { firstFittingLanes } from "../queues/queue-facts";
import { runOf } from "../runs-by-id";
import { firedBy } from "../schedules/due-schedules";
import { type FittingVersions, fittingVersions, versionValues } from "../workflows/fitting-versions";
import { FIRST_TIMER, fitsOf, READY, walk } from "./fitting-runs";
import { EXPECTED_TURN } from "./suspects";

/** Which duties have something to do. */
export interface DueDuties {
  notices: boolean;
  problems: boolean;
  rollups: boolean;
  logs: boolean;
  alerts: boolean;
  /** Any request: it may be for code that this worker lacks, or be answered already. */
  codeRequests: boolean;
}

export interface Glance extends DueDuties {
  /**
   * Milliseconds until a worker of these versions has something to do, negative if it is overdue; null if nothing is
   * scheduled. Later starts and events are not included.
   */
  workInMs: number | null;
}

/** Of a worker `other`: it owns runs, and a beat of it is overdue. */
export const MISSES_BEATS = `clock_timestamp() > other.heartbeat_at + (other.lease_expires_at - other.heartbeat_at) / 2
        and exists (select from handrail.run where run.worker_id = other.id)`;

/*
 * All that an idle worker asks besides its heartbeat, which waits for nothing else. Read-only. Another owner's lease
 * counts, by its end, only if a beat of it is overdue: live workers beat, and leave nothing to take over. Workflows with
 * a closed intake are excluded: their begun runs are found by a worker that comes for another reason, or within the time
 * after which every worker comes back.
 */
export const glanceText = `
    with recursive workflow as (
      select distinct name from unnest($2::text[]) as given (name)
      where not exists (select from handrail.worker as me where me.id = $1::bigint and given.name = any (me.closed_intakes))
    ), ${fittingVersions(2)}, ${fitsOf("true, false")}
    select ${NOTICES_WAIT} as notices, ${PROBLEMS_WAIT} as problems, ${COUNT_DUE} as rollups, ${FOLD_DUE} as logs, ${ALERTS_DUE} as alerts,
      exists (select from handrail.code_request) as "codeRequests",
      (extract(epoch from min(at) - clock_timestamp()) * 1000)::float8 as "workInMs" from (
      select clock_timestamp() as at from fits where exists ${walk("run.priority", READY, "run.priority desc, run.id", "1")}
      union all
      select first.due_at from fits cross join lateral ${FIRST_TIMER} as first
      union all
      select (select min(run.due_at) from handrail.run
        where run.workflow = workflow.name and run.queue_key is not null and run.due_at is not null) from workflow
      union all
      select clock_timestamp() from workflow
      cross join lateral ${firstFittingLanes("workflow.name", "lane.ready", "lane.priority desc, lane.turn", "1")} as lane
      union all
      select lane.opens_at from workflow
      cross join lateral ${firstFittingLanes("workflow.name", "lane.opens_at is not null", "lane.opens_at", "1")} as lane
      union all
      select clock_timestamp() from workflow where exists (
        select from handrail.queue_note where queue_note.workflow = workflow.name)
      union all
      select ${EXPECTED_TURN} from handrail.suspect
      cross join ${runOf("suspect.run_id", "workflow, due_at")} as run
      where suspect.turn_at is null and run.due_at is not null and run.workflow in (select name from workflow)
      union all
      select schedule.look_at from handrail.schedule join handrail.worker as me on me.id = $1::bigint
      where schedule.look_at is not null and ${firedBy("me")}
      union all
      select other.lease_expires_at from handrail.worker as other
      where other.stopped_at is null and other.id <> $1::bigint and ${MISSES_BEATS}
    ) as next`;

const glanceStatement: Statement = { name: "glance", text: glanceText };

export async function glance(db: Db, workerId: number, fitting: FittingVersions): Promise<Glance> {
  const [seen] = await db.query<Glance>(glanceStatement, [workerId, ...versionValues(fitting)]);
  return seen as Glance;
}
