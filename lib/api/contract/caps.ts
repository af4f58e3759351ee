// The parts of the contract that browsers need beside its types. Kept apart from the schemas, so that browsers do not
// load zod: it probes for `eval`, which our pages' policy forbids and reports.

/** Counting stops at this many per status, which bounds the cost on large tables. */
export const COUNT_CAP = 10_000;

/** Runs that one request can name; a filter selects up to 100,000. */
export const MAX_NAMED_RUNS = 10_000;
