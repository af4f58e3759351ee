// What browsers have to know of the contract beside its types. Apart from the schemas, which they do not load: zod tries whether it
// may evaluate text, which the policy of our pages forbids and reports.

/** Counting stops at this many per status, so that no table is too big for it. */
export const COUNT_CAP = 10_000;

/** Runs that one request can name; a filter stands for up to 100,000. */
export const MAX_NAMED_RUNS = 10_000;
