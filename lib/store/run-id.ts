import { v7 as uuidv7 } from "uuid";

/** Ids of runs carry the instant at which they were made: lists follow them, newest first. */
export const newRunId = (): string => uuidv7();

/** Of plans and operations, in the order in which they were made. */
export const newPlanId = (): string => uuidv7();

/** Of problems. */
export const newProblemId = (): string => uuidv7();
