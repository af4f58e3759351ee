/** Rules for migrations under live workers. */
export const MIGRATION_RULES = [
  {
    name: "No worker continues while a migration asks workers to drain",
    promise: "P1",
    meaning:
      "A migration has waited for this worker for a minute: the worker's version does not know such requests. Stop it with SIGTERM; nothing is lost.",
    sql: `
      select worker.id, worker.name, drain.migration from handrail.drain cross join handrail.worker
      where drain.until_at > clock_timestamp() and drain.requested_at < clock_timestamp() - interval '1 minute'
        and worker.stopped_at is null and worker.stopping_at is null and worker.language is null
        and worker.lease_expires_at > clock_timestamp()`,
  },
] as const;
