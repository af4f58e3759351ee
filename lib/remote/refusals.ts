import { HandrailError } from "../engine/errors";

/** A stale epoch, whoever brings it: nothing was written. */
export const claimLost = (runId: string) =>
  new HandrailError(
    "claim_lost",
    `This claim of run ${runId} is over: it was ended, or the run was taken over when its worker fell silent. Write nothing more for it, and claim again.`,
    { runId },
  );

export const unknownWorker = (workerId: number) =>
  new HandrailError("unknown_worker", `There is no worker ${workerId} over HTTP. Register first.`);

export const leaseEnded = (workerId: number) =>
  new HandrailError(
    "lease_ended",
    `Worker ${workerId} was silent for longer than its lease, and its runs belong to others. Drop them, and register anew.`,
  );
