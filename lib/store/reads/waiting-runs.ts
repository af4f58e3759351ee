/**
 * A part of a union: a row for each run of the workflow that waits for no instant, `limit` of each kind at the most. Apart,
 * so that each is a range of an index of its own. Both are SQL.
 */
export const waitingRuns = (workflow: string, limit: string) => `
        (select from handrail.run where run.workflow = ${workflow} and queue_key is null
          and status = 'pending' and due_at is null and started_at is null limit ${limit}::int)
        union all
        (select from handrail.run where run.workflow = ${workflow} and queue_key is null
          and status = 'pending' and due_at is null and started_at is not null limit ${limit}::int)
        union all
        (select from handrail.run where run.workflow = ${workflow} and queue_key is not null
          and status = 'pending' and due_at is null and started_at is null limit ${limit}::int)
        union all
        (select from handrail.run where run.workflow = ${workflow} and queue_key is not null
          and (status = 'pending' or waiting_kind = 'slot') and due_at is null and started_at is not null limit ${limit}::int)`;
