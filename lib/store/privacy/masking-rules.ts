/** Rules about masking. */
export const MASKING_RULES = [
  {
    name: "Every masked path of a workflow can match a field",
    promise: "P9",
    meaning:
      "A path needs keys with dots between them, and none may be empty: this one masks nothing, and people see values that should be hidden. Start a worker with the workflow's code: it records the paths that the code masks.",
    sql: `
      select workflow.name, version, path from handrail.workflow cross join lateral unnest(masked) as path
      where path is null or path = '' or path like '.%' or path like '%.' or path like '%..%'`,
  },
] as const;
