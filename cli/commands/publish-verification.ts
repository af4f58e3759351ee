import { newIdempotencyKey } from "../../lib/api/client/client";
import type { VerificationRequest } from "../../lib/api/contract/verifications";
import type { Session } from "../session/session";

/** Stores what was found of a version of the workflow, for its page in the console. */
export async function publishVerification(
  { client, screen }: Session,
  workflow: string,
  request: VerificationRequest,
): Promise<void> {
  const idempotencyKey = newIdempotencyKey();
  await client.post("/v1/workflows/{workflow}/verifications", { workflow }, { request, idempotencyKey });
  screen.note(`Published for version ${request.version} of ${workflow}.`);
}
