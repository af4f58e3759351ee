import type { DeclaredLimits, LiveLimits } from "../engine/queue";
import type { Db, Statement } from "./db";
import { lookAgainAtQueues } from "./queue-lanes";

export interface LimitsOfWorkflow {
  /** The newest version's, by its code; null when it declares none. */
  declared: DeclaredLimits | null;
  live: LiveLimits | null;
}

/*
 * Takes the limits of a workflow in hand: whoever else wants to change them waits. Claims do not: they read what is
 * committed.
 */
const lockStatement: Statement = {
  name: "lock-queue-limits",
  text: `
    select workflow.limits as declared,
      (select json_build_object('concurrency', concurrency,
          'rate', case when rate_limit is not null then json_build_object('limit', rate_limit, 'perMs', rate_per_ms) end)
        from handrail.queue_limit where queue_limit.workflow = workflow.name) as live
    from handrail.workflow where name = $1
    order by version desc limit 1
    for no key update of workflow`,
};

/** Undefined when no worker has told of the workflow. */
export async function lockLimits(tx: Db, workflow: string): Promise<LimitsOfWorkflow | undefined> {
  // Twice: a statement that waited for the lock shows the live limits from before the other's change.
  await tx.query(lockStatement, [workflow]);
  const [row] = await tx.query<LimitsOfWorkflow>(lockStatement, [workflow]);
  return row;
}

const setStatement: Statement = {
  name: "set-queue-limits",
  text: `
    insert into handrail.queue_limit (workflow, concurrency, rate_limit, rate_per_ms, set_by)
    values ($1, $2::int, $3::int, $4::bigint, $5)
    on conflict (workflow) do update set concurrency = excluded.concurrency, rate_limit = excluded.rate_limit,
      rate_per_ms = excluded.rate_per_ms, set_by = excluded.set_by, set_at = clock_timestamp()`,
};

const resetStatement: Statement = {
  name: "reset-queue-limits",
  text: `delete from handrail.queue_limit where workflow = $1`,
};

/** Binds from every worker's next claim on; without any limit of its own, the code's are back. */
export async function setLimits(tx: Db, workflow: string, { concurrency, rate }: LiveLimits, actor: string) {
  if (concurrency === null && rate === null) await tx.query(resetStatement, [workflow]);
  else await tx.query(setStatement, [workflow, concurrency, rate?.limit ?? null, rate?.perMs ?? null, actor]);
  // A lane that was closed by the old limit may be open by the new one.
  await lookAgainAtQueues(tx, workflow);
}
