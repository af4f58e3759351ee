import { z } from "zod";

/** One call for a platform without processes of one's own. Bounds in milliseconds. */
export const driveRequest = z
  .strictObject({
    /**
     * How long the call may take; it answers sooner when nothing is left to do. Less than the platform lets a call take, and
     * more than the longest step needs. Default 10,000.
     */
    maxMs: z.int().min(3_000).max(900_000).default(10_000),
  })
  .meta({ id: "DriveRequest" });

export const driveResponse = z
  .object({
    /** Claims; a run that was taken up twice in the call counts twice, here and below. */
    claimed: z.int(),
    /** Of these, the runs that have ended: completed, failed and cancelled ones. */
    ended: z.int(),
    completed: z.int(),
    /** Those whose failure is being compensated among them. */
    failed: z.int(),
    cancelled: z.int(),
    /** They wait: for a timer, an event, a child or a person. */
    suspended: z.int(),
    /** Not finished within the time: due for the next call, or for any worker. */
    handedBack: z.int(),
    /** Claims under which undos ran. */
    compensating: z.int(),
    /** Claims that somebody else has taken over, because the lease had run out. */
    lost: z.int(),
    /** Runs of silent workers that were freed. */
    takenOver: z.int(),
    /** Runs that were started for schedules. */
    fired: z.int(),
    /** Runs past their retention that were deleted. */
    deleted: z.int(),
    elapsedMs: z.int(),
    /** When to call again: 0 for at once, 60,000 at the most, for nobody knows what will be started meanwhile. */
    callAgainInMs: z.int(),
  })
  .meta({ id: "DriveResponse" });
