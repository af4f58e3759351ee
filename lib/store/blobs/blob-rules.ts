const REFERENCE = (column: string) => `left(${column}, 15) = '{"$type":"blob"'`;
const LOST = (column: string) =>
  `${REFERENCE(column)} and not exists (select from handrail.blob where key = ${column}::jsonb ->> 'key' and held and gone_at is null)`;

/** Rules about values in the blob store. */
export const BLOB_RULES = [
  {
    name: "A reference to a blob leads to a blob that stays",
    promise: "P3",
    meaning:
      "The value of this row may have been deleted from the blob store: its run waits for it. Rows of handrail.blob were changed manually, or this is a bug in the engine: keep the rows and report them.",
    sql: `
      select id::text as run_id, null as step from handrail.run where ${LOST("input")}
      union all select id::text, null from handrail.run where ${LOST("output")}
      union all select run_id::text, name from handrail.step where ${LOST("output")}`,
  },
  {
    name: "A blob that nothing refers to is deleted from the store within a day",
    promise: "P3",
    meaning:
      "The blob store refuses to delete it, as its error says, or no worker has `blobs` in its configuration. Workers go on trying, once an hour.",
    sql: `select key, size, gone_at, error from handrail.blob where gone_at < clock_timestamp() - interval '1 day'`,
  },
] as const;
