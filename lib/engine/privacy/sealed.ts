import { decrypt, decryptBytes, encrypt, encryptToBytes, hmacSha256, isSameText } from "../digest";
import { HandrailError, isHandrailError } from "../errors";
import type { PayloadKeys } from "./payload-keys";

/*
 * Encryption of payloads in the database: AES-256-GCM over the text that codec.ts wrote, as the JSON { "$type":
 * "sealed", "key": id, "value": base64 of nonce, ciphertext and tag }. The output of codec.ts never begins like that,
 * so a text shows by itself whether it is sealed.
 *
 * A value is bound to its place: in another row or column it does not open. Each run (and each kept answer) has a key
 * derived from ours: the random nonces of one key must not be drawn more than 2^32 times, and a busy engine keeps that
 * many outcomes in two days; no run has so many.
 */

/** Where a value is stored. A step's value belongs to one generation of the step. */
export type Place =
  | readonly [runId: string, part: "input" | "output"]
  | StepPlace
  /** What a received span says. */
  | readonly [traceId: string, part: "span", spanId: string]
  /** The secret that signs a webhook's messages. */
  | readonly [destinationId: string, part: "secret" | "previous_secret"]
  /** The stored answer to a request, which may be a run. */
  | readonly [requestKey: string, part: "answer"];
export type StepPlace = readonly [runId: string, part: "step", name: string, generation: number];

/** The prefix of every sealed text. */
export const SEALED_PREFIX = '{"$type":"sealed","key":"';
const SEALED = /^\{"\$type":"sealed","key":"([a-z0-9._-]{1,32})","value":"([A-Za-z0-9+/]+={0,2})"\}$/;

export const isSealed = (text: string): boolean => text.startsWith(SEALED_PREFIX);

/** The id of the key that a text is sealed with; undefined if it is not sealed. */
export const keyIdOf = (text: string): string | undefined =>
  isSealed(text) ? text.slice(SEALED_PREFIX.length, text.indexOf('"', SEALED_PREFIX.length)) : undefined;

export function seal({ current: { id, secret } }: PayloadKeys, place: Place, text: string): string {
  return `${SEALED_PREFIX}${id}","value":"${encrypt(keyOf(secret, place), text, boundTo(place))}"}`;
}

/**
 * The unsealed text; a text that is not sealed is returned as it is.
 * @throws HandrailError `payload_locked` with `details.keyId`, if the key is missing or the value does not open with it
 */
export function open(keys: PayloadKeys | null, place: Place, text: string): string {
  if (!isSealed(text)) return text;
  const [, keyId, encoded] = SEALED.exec(text) ?? [];
  if (keyId === undefined || encoded === undefined) throw locked(place, keyIdOf(text) ?? "", DAMAGED);
  const key = keys?.byId.get(keyId);
  if (!key) throw locked(place, keyId, `this process does not have it. Add it to HANDRAIL_PAYLOAD_KEYS.`);
  const clear = decrypt(keyOf(key.secret, place), encoded, boundTo(place));
  if (clear === undefined) throw locked(place, keyId, DAMAGED);
  return clear;
}

/** Of bytes outside the database: a value's JSON never begins like that. */
const SEALED_BYTES = "handrail sealed 1 ";
/** With the id of the key, at most. */
const LONGEST_HEAD = SEALED_BYTES.length + 33;

/** Large values are sealed as bytes: a line with the key's id; then nonce, ciphertext and tag. */
export const sealBytes = ({ current: { id, secret } }: PayloadKeys, place: Place, text: string): Buffer =>
  Buffer.concat([Buffer.from(`${SEALED_BYTES}${id}\n`), encryptToBytes(keyOf(secret, place), text, boundTo(place))]);

/** What shows that a text is the same as another one of its place, to those who have the key, and nothing to others. */
export const proofOf = ({ current: { id, secret } }: PayloadKeys, place: Place, text: string): string =>
  `${id}:${hmacSha256(keyOf(secret, place), text)}`;

/** @throws HandrailError `payload_locked` */
export function isProvedBy(keys: PayloadKeys | null, place: Place, proof: string, text: string): boolean {
  const [keyId = "", digest = ""] = proof.split(":");
  const key = keys?.byId.get(keyId);
  if (!key) throw locked(place, keyId, `this process does not have it. Add it to HANDRAIL_PAYLOAD_KEYS.`);
  return isSameText(hmacSha256(keyOf(key.secret, place), text), digest);
}

/** The text of a value's bytes, sealed or not. @throws HandrailError `payload_locked` */
export function openBytes(keys: PayloadKeys | null, place: Place, bytes: Buffer): string {
  const head = bytes.toString("latin1", 0, LONGEST_HEAD);
  if (!head.startsWith(SEALED_BYTES)) return bytes.toString("utf8");
  const end = head.indexOf("\n");
  const keyId = head.slice(SEALED_BYTES.length, end);
  const key = keys?.byId.get(keyId);
  if (!key) throw locked(place, keyId, `this process does not have it. Add it to HANDRAIL_PAYLOAD_KEYS.`);
  const clear = decryptBytes(keyOf(key.secret, place), bytes.subarray(end + 1), boundTo(place));
  if (clear === undefined) throw locked(place, keyId, DAMAGED);
  return clear;
}

/** The possible causes cannot be distinguished. */
const DAMAGED =
  "it does not open with it: the key of this name is another one here, or the value was changed or moved in the database.";

function locked(place: Place, keyId: string, because: string): HandrailError {
  const message = `The ${named(place)} is sealed with the payload key "${keyId}", and ${because}`;
  return new HandrailError("payload_locked", message, { keyId });
}

function named([owner, part, step]: Place): string {
  if (part === "answer") return `answer kept for the Idempotency-Key "${owner}"`;
  if (part === "secret" || part === "previous_secret") return `secret of destination ${owner}`;
  if (part === "span") return `detail of span ${step} of trace ${owner}`;
  return `${part === "step" ? `output of step "${step}"` : part} of run ${owner}`;
}

export const isPayloadLocked = (error: unknown): error is HandrailError =>
  isHandrailError(error) && error.code === "payload_locked";

// A run's id may come from a URL, in another case than Postgres writes it.
const ownerOf = ([owner, part]: Place) => (part === "answer" ? owner : owner.toLowerCase());

const keyOf = (secret: Uint8Array, place: Place): Buffer =>
  Buffer.from(hmacSha256(secret, `handrail payload 1 ${ownerOf(place)}`), "hex");

const boundTo = (place: Place): string => JSON.stringify([ownerOf(place), ...place.slice(1)]);
