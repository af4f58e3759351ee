/**
 * A part of a union: a row for each run of the workflow that is ready without a timer, `limit` of each kind at the
 * most. Separate parts, so that each is a range of one index. Both are SQL.
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
