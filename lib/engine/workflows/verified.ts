/** Longer texts, and more steps and findings, are cut by `handrail verify --publish`. */
export const MAX_VERIFIED_TEXT = 1_000;
export const MAX_VERIFIED = 100;
