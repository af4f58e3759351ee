import { v7 as uuidv7 } from "uuid";

/** Ids of runs contain their creation time: lists are ordered by them, newest first. */
export const newRunId = (): string => uuidv7();

/** Ids of plans and operations, ordered by creation. */
export const newPlanId = (): string => uuidv7();

/** Of problems. */
export const newProblemId = (): string => uuidv7();
