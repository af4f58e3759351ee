/** Rules about masking. */
export const MASKING_RULES = [
  {
    name: "What a workflow masks is a way to something",
    promise: "P9",
    meaning:
      "Keys have dots between them and none is empty: as it stands, this masks nothing, and people see what was to be hidden. Start a worker with the workflow's code: it records what the code masks.",
    sql: `
      select workflow.name, version, path from handrail.workflow cross join lateral unnest(masked) as path
      where path is null or path = '' or path like '.%' or path like '%.' or path like '%..%'`,
  },
] as const;
