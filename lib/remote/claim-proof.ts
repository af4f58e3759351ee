import type { Caller } from "../engine/audit/audit";
import { isSameText, randomSecret, sha256 } from "../engine/digest";
import type { HeldRun } from "../store/workers/hold-run";

const SECRET_BYTES = 32;

/** Issued with a claim, and required for every request about it. */
export const newClaimSecret = (): string => randomSecret(SECRET_BYTES).toString("base64url");

/**
 * The owner of registrations and claims. Without sign-in all callers are one, and only the claim's secret separates the
 * workers.
 */
export const credentialOf = ({ credentialId, kind }: Caller): string =>
  credentialId ?? (kind === "token" ? "bootstrap" : "anybody");

/** The kept proof of a claim's secret; useless with another credential, or after the claim. */
export const claimProof = (epoch: number, credential: string, secret: string): string =>
  `${epoch}:${sha256(`${credential}\n${secret}`)}`;

/** Whether this caller holds, or last held, the claim of that epoch. */
export function provesClaim(run: HeldRun, epoch: number, credential: string, secret: string | null): boolean {
  if (run.epoch !== epoch) return false;
  if (!run.claimProof?.startsWith(`${epoch}:`)) return wasClaimedBeforeProofs(run, credential);
  return isSameText(run.claimProof, claimProof(epoch, credential, secret ?? ""));
}

/**
 * A claim from a console of the previous version has no proof, and continues by its epoch alone, for the credential of
 * its worker, or for any if that is unknown. Claims of in-process workers have none either.
 */
const wasClaimedBeforeProofs = ({ remoteWorker }: HeldRun, credential: string): boolean =>
  remoteWorker !== null && (remoteWorker.credential === null || remoteWorker.credential === credential);
