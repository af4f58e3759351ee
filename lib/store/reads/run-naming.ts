/** What people may call a run by. */
export interface RunNaming {
  runTitle: string | null;
  tags: Record<string, string>;
  idempotencyKey: string | null;
}

/** Of a row of `handrail.run` under this alias, as JSON; null where an outer join found none. */
export const namedRun = (run: string): string =>
  `case when ${run}.id is not null then json_build_object('runTitle', ${run}.run_title, 'tags', coalesce(${run}.tags, '{}'),
        'idempotencyKey', ${run}.idempotency_key) end`;
