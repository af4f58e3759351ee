/** Rules about the permits of limited steps. */
export const PERMIT_RULES = [
  {
    name: "A permit in use, and a place in a line, belong to a known limit",
    promise: "P1",
    meaning:
      "The row of this limit was deleted while it was in use: the starts that its rate counts, and the order of its line, are lost. This is a bug in the engine: keep the rows and report them. The next step that asks begins a new row.",
    sql: `
      select run_id, step, limit_name from (
        select run_id, step, limit_name, limit_key from handrail.permit where handrail.permit_is_held(permit)
        union all select run_id, step, limit_name, limit_key from handrail.permit_wait) as used
      where not exists (select from handrail.step_limit where name = limit_name and key = limit_key)`,
  },
] as const;
