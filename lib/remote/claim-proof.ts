import type { Caller } from "../engine/audit/audit";
import { isSameText, randomSecret, sha256 } from "../engine/digest";
import type { HeldRun } from "../store/workers/hold-run";

const SECRET_BYTES = 32;

/** Given with a claim, and asked for with every question about it. */
export const newClaimSecret = (): string => randomSecret(SECRET_BYTES).toString("base64url");

/**
 * To whom registrations and claims belong. Where nobody signs in, all are one caller, and the claim's secret alone keeps
 * one worker from the runs of another.
 */
export const credentialOf = ({ credentialId, kind }: Caller): string =>
  credentialId ?? (kind === "token" ? "bootstrap" : "anybody");

/** All that is kept of a claim's secret; it is worth nothing with another credential, or after the claim. */
export const claimProof = (epoch: number, credential: string, secret: string): string =>
  `${epoch}:${sha256(`${credential}\n${secret}`)}`;

/** Whether this caller holds, or held last, the claim of that epoch. */
export function provesClaim(run: HeldRun, epoch: number, credential: string, secret: string | null): boolean {
  if (run.epoch !== epoch) return false;
  if (!run.claimProof?.startsWith(`${epoch}:`)) return wasClaimedBeforeProofs(run, credential);
  return isSameText(run.claimProof, claimProof(epoch, credential, secret ?? ""));
}

/**
 * A claim that a console of the version before gave has no proof, and goes on as it began: by its epoch alone, for the
 * credential of its worker, or for any where that is not known. Claims of workers of this code have none either.
 */
const wasClaimedBeforeProofs = ({ remoteWorker }: HeldRun, credential: string): boolean =>
  remoteWorker !== null && (remoteWorker.credential === null || remoteWorker.credential === credential);
