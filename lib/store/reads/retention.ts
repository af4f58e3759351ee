import type { Retention } from "../../engine/runs/retention";
import type { Db, Statement } from "../db";
import { IS_PAST_RETENTION, lastOldEnough, policies } from "../runs/retention";

export interface RetentionRow {
  workflow: string;
  title: string;
  retention: Retention;
  /** The expired among its oldest 1,000 runs, without regard to their children. */
  due: number;
  /** When the next one of them that has ended expires. */
  next_at: Date | null;
}

const retentionStatement: Statement = {
  name: "retention",
  text: `
    with policy as (${policies})
    select policy.*, due.due, next.next_at from policy
    cross join lateral (
      select count(*) filter (where ${IS_PAST_RETENTION})::int as due from (
        select * from handrail.run where run.workflow = policy.workflow and run.id < ${lastOldEnough} order by run.id limit $1::int
      ) run
    ) due
    cross join lateral (
      select min(oldest.finished_at + (policy.retention ->> (oldest.status || 'Ms'))::float8 * interval '1 ms') as next_at
      from (select * from handrail.run where run.workflow = policy.workflow order by run.id limit $1::int) oldest
      where oldest.finished_at + (policy.retention ->> (oldest.status || 'Ms'))::float8 * interval '1 ms' > clock_timestamp()
    ) next
    order by workflow`,
};

const LOOKED_AT = 1_000;

export const listRetention = (db: Db) => db.query<RetentionRow>(retentionStatement, [LOOKED_AT]);
