/** When a start is due, as SQL over its columns or parameters; null: at once. */
export const dueAt = (runAt: string, delayMs: string) => `case when ${runAt} > clock_timestamp() then ${runAt}
          when ${delayMs} > 0 then clock_timestamp() + ${delayMs} * interval '1 ms' end`;

/** So many milliseconds after a start is due; null for null. */
export const afterDue = (runAt: string, delayMs: string, ms: string) =>
  `coalesce(${dueAt(runAt, delayMs)}, clock_timestamp()) + ${ms} * interval '1 ms'`;
