import type { aRun } from "../rows/a-run";

/** By the rule that they break: the run that it takes, and what somebody would have to do to it. `$1` is the run's id. */
export type Breaks = Record<string, [keyof ReturnType<typeof aRun>, string]>;
