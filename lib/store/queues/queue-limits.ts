import type { DeclaredLimits, LiveLimits } from "../../engine/queues/queue";
import type { Db, Statement } from "../db";
import { lookAgainAtQueues } from "./queue-lanes";

interface LimitsOfWorkflow {
  /** The newest version's, by its code; null when it declares none. */
  declared: DeclaredLimits | null;
  live: LiveLimits | null;
}

const rateOf = (limit: string, perMs: string) =>
  `case when ${limit} is not null then json_build_object('limit', ${limit}, 'perMs', ${perMs}) end`;

/** A row of `handrail.queue_limit` as `LiveLimits`, with further columns. */
export const liveLimits = (more = "") => `json_build_object('concurrency', concurrency, 'total', total,
          'rate', ${rateOf("rate_limit", "rate_per_ms")}, 'totalRate', ${rateOf("total_rate_limit", "total_rate_per_ms")},
          'window', case when window_from is not null
            then json_build_object('from', window_from, 'to', window_to, 'timeZone', window_zone) end${more})`;

/* Locks the limits of a workflow against other changes. Claims do not wait: they read what is committed. */
const lockStatement: Statement = {
  name: "lock-queue-limits",
  text: `
    select workflow.limits as declared,
      (select ${liveLimits()}
        from handrail.queue_limit where queue_limit.workflow = workflow.name) as live
    from handrail.workflow where name = $1
    order by version desc limit 1
    for no key update of workflow`,
};

/** Undefined for an unknown workflow. */
export async function lockLimits(tx: Db, workflow: string): Promise<LimitsOfWorkflow | undefined> {
  // Twice: a statement that waited for the lock shows the live limits from before the other's change.
  await tx.query(lockStatement, [workflow]);
  const [row] = await tx.query<LimitsOfWorkflow>(lockStatement, [workflow]);
  return row;
}

const setStatement: Statement = {
  name: "set-queue-limits",
  text: `
    insert into handrail.queue_limit (workflow, set_by, concurrency, rate_limit, rate_per_ms, total, total_rate_limit,
      total_rate_per_ms, window_from, window_to, window_zone)
    values ($1, $2, $3::int, $4::int, $5::bigint, $6::int, $7::int, $8::bigint, $9, $10, $11)
    on conflict (workflow) do update set set_by = excluded.set_by, set_at = clock_timestamp(),
      concurrency = excluded.concurrency, rate_limit = excluded.rate_limit, rate_per_ms = excluded.rate_per_ms,
      total = excluded.total, total_rate_limit = excluded.total_rate_limit, total_rate_per_ms = excluded.total_rate_per_ms,
      window_from = excluded.window_from, window_to = excluded.window_to, window_zone = excluded.window_zone`,
};

const resetStatement: Statement = {
  name: "reset-queue-limits",
  text: `delete from handrail.queue_limit where workflow = $1`,
};

/** Applies from every worker's next claim on; without a live limit, the code's apply again. */
export async function setLimits(tx: Db, workflow: string, limits: LiveLimits, actor: string) {
  const { concurrency, rate, total, totalRate, window } = limits;
  if (!(concurrency ?? rate ?? total ?? totalRate ?? window)) await tx.query(resetStatement, [workflow]);
  else
    await tx.query(setStatement, [
      ...[workflow, actor, concurrency, rate?.limit, rate?.perMs, total, totalRate?.limit, totalRate?.perMs],
      ...[window?.from, window?.to, window?.timeZone],
    ]);
  // A lane that was closed by the old limit may be open by the new one.
  await lookAgainAtQueues(tx, workflow);
}
