import { HandrailError } from "../engine/errors";
import { parseOwnInParts } from "../engine/values/parse-in-parts";
import { writeInParts } from "../engine/values/write-in-parts";
import type { Db } from "../store/db";
import { keepAnswer, type RequestKey, type StoredAnswer, takeRequestKey } from "../store/operations/request";
import { inTurns } from "./in-turns";

export interface Answer<Body> {
  status: number;
  body: Body;
}

/**
 * Does the work once per idempotency key, and returns the same answer when the same caller repeats the request. A
 * refusal is not kept: the transaction rolls back, and the key with it.
 * @throws HandrailError `idempotency_conflict` when the key was used for another request
 */
export async function answeredOnce<Body>(
  tx: Db,
  request: RequestKey | null,
  work: () => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  if (!request) return work();
  const earlier = await takeRequestKey(tx, request);
  if (earlier) return answerAgain(earlier, request);
  const answer = await work();
  const pieces = await inTurns(writeInParts(answer.body));
  await keepAnswer(tx, request, answer.status, pieces.join(""));
  return answer;
}

/** @throws HandrailError `idempotency_conflict` if the answer belongs to another request */
export async function answerAgain<Body>(earlier: StoredAnswer, request: RequestKey): Promise<Answer<Body>> {
  if (earlier.fingerprint === request.fingerprint)
    return { status: earlier.status, body: (await inTurns(parseOwnInParts(earlier.body))) as Body };
  throw new HandrailError(
    "idempotency_conflict",
    "This Idempotency-Key was used for another request. Send a new key for a new request.",
  );
}
