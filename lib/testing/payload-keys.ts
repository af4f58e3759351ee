import { afterEach } from "vitest";
import { type PayloadKeys, parsePayloadKeys } from "../engine/privacy/payload-keys";
import { setPayloadKeys } from "../store/payloads";
import { keyBytes } from "./audit-keys";

/** Payload keys of these names, the current one first; the same in every test. */
export const payloadKeysOf = (...ids: string[]) =>
  parsePayloadKeys(
    ids.map((id) => `${id}:${keyBytes([...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 1_000))}`).join(","),
  ) as PayloadKeys;

/** For one test file: this process encrypts with the keys that a test sets, until the test ends. */
export function withPayloadKeys() {
  afterEach(() => setPayloadKeys(null));
  return (...ids: string[]) => setPayloadKeys(ids.length === 0 ? null : payloadKeysOf(...ids));
}
