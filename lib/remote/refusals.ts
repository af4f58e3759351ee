import { HandrailError } from "../engine/errors";

/** A stale epoch, another's claim or a missing run: nothing was written, and all get the same answer. */
export const claimLost = (runId: string) =>
  new HandrailError(
    "claim_lost",
    `You do not hold this claim of run ${runId}: it was ended, the run was taken over when its worker fell silent, or the Handrail-Claim header is not the secret that came with the claim. Write nothing more for it, and claim again.`,
    { runId },
  );

export const unknownWorker = (workerId: number) =>
  new HandrailError("unknown_worker", `You have no worker ${workerId} over HTTP. Register first.`);

export const leaseEnded = (workerId: number) =>
  new HandrailError(
    "lease_ended",
    `Worker ${workerId} was silent for longer than its lease, or was registered before an upgrade of Handrail. Its runs go to other workers: drop them, and register again.`,
  );
