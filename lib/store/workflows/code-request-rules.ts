/** Rules for requests to the code of workers. */
export const CODE_REQUEST_RULES = [
  {
    name: "Expired requests to the code of workers are deleted while a worker is live",
    promise: "P1",
    meaning:
      "A process asked for a start to be prepared, and was gone before it deleted its request, which may hold an input. No run depends on it: look for a worker that cannot reach the database, and delete the row.",
    sql: `
      select id, workflow, expires_at from handrail.code_request where expires_at < clock_timestamp() - interval '1 minute'
        and exists (select from handrail.worker alive where alive.stopped_at is null and alive.language is null
          and alive.started_at < clock_timestamp() - interval '1 minute' and alive.lease_expires_at > clock_timestamp())`,
  },
] as const;
