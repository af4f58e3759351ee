/** Something about an app's workflows that a deploy would change. */
export interface Finding {
  /** `breaks`: workers would not start, or runs would stop, wait or be refused. `note`: it goes on, in another way than before. */
  level: "breaks" | "note";
  code:
    | "duplicate_workflow"
    | "invalid_schedule"
    | "schedule_input"
    | "schedule_gone"
    | "no_code"
    | "drift"
    | "older_version"
    | "another_version"
    | "fewer_guards"
    | "kept_guards"
    | "older_limits"
    | "no_json_schema";
  workflow: string;
  /** Of the workflow; null where it is about all of them. */
  version: number | null;
  schedule: string | null;
  /** How many open runs it is about, and the first of them. */
  runs: number;
  runIds: string[];
  message: string;
}

export const RUN_IDS = 20;

/** A finding that is about no run. */
export const finding = (
  level: Finding["level"],
  code: Finding["code"],
  about: { workflow: string; version?: number; schedule?: string },
  message: string,
): Finding => ({
  level,
  code,
  workflow: about.workflow,
  version: about.version ?? null,
  schedule: about.schedule ?? null,
  runs: 0,
  runIds: [],
  message,
});
