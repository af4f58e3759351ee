/** How a completed step is compensated: by the author's code, by a person, or not at all. */
export const COMPENSATION_MODES = ["none", "automatic", "manual"] as const;
export type CompensationMode = (typeof COMPENSATION_MODES)[number];

export const COMPENSATION_STATUSES = ["none", "owed", "running", "completed", "failed", "waived"] as const;
export type CompensationStatus = (typeof COMPENSATION_STATUSES)[number];
