import type { aRun } from "../rows/a-run";

/** By the rule that they break: the run that it needs, and the statement that breaks it. `$1` is the run's id. */
export type Breaks = Record<string, [keyof ReturnType<typeof aRun>, string]>;
