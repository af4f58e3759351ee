import { z } from "zod";

/** One call for platforms without long-running processes. Bounds in milliseconds. */
export const driveRequest = z
  .strictObject({
    /**
     * How long the call may take; it returns sooner when nothing is left to do. Must be less than the platform's limit,
     * and more than the longest step needs. Default 10,000.
     */
    maxMs: z.int().min(3_000).max(900_000).default(10_000),
  })
  .meta({ id: "DriveRequest" });

export const driveResponse = z
  .object({
    /** Claims; a run that was taken up twice in the call counts twice, here and below. */
    claimed: z.int(),
    /** Of these, the runs that ended: completed, failed and cancelled. */
    ended: z.int(),
    completed: z.int(),
    /** Including those whose failure is being compensated. */
    failed: z.int(),
    cancelled: z.int(),
    /** They wait for a timer, an event, a child or a person. */
    suspended: z.int(),
    /** Not finished within the time: claimable by the next call or any worker. */
    handedBack: z.int(),
    /** Claims under which compensations ran. */
    compensating: z.int(),
    /** Claims that another worker took over because the lease had expired. */
    lost: z.int(),
    /** Runs of silent workers that were freed. */
    takenOver: z.int(),
    /** Runs that were started for schedules. */
    fired: z.int(),
    /** Runs past their retention period that were deleted. */
    deleted: z.int(),
    elapsedMs: z.int(),
    /** When to call again: 0 for at once, 60,000 at most, since runs may be started meanwhile. */
    callAgainInMs: z.int(),
  })
  .meta({ id: "DriveResponse" });
