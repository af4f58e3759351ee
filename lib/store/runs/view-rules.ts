import type { Rule } from "../database/doctor-rules";

/** Rules for saved views. */
export const VIEW_RULES: readonly Rule[] = [
  {
    name: "Every saved view was saved by an audited action",
    promise: "P9",
    meaning:
      "A view of the runs is in people's lists without an audited action: the table was changed outside Handrail. Delete it in the console, and check who could write to the database.",
    sql: `
      select id, name, owner from handrail.saved_view where not exists (
        select from handrail.audit where audit.act = 'save_view' and audit.result = 'done'
          and audit.after ->> 'viewId' = saved_view.id::text)`,
  },
];
