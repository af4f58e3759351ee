import type { StandardSchemaV1 } from "@standard-schema/spec";
import { HandrailError } from "../errors";
import { invalidInput } from "../invalid-input";
import { checkedHeaders } from "../runs/headers";
import { encodeValue } from "../values/codec";
import { isPlainText } from "../values/plain-text";
import { checkEventName, type EventDefinition, type EventOptions, type EventToSend, nameOf, runIdOf } from "./event";

// Apart from event.ts: an app that only defines workflows does not load it.

export function checkEventKey(key: unknown): asserts key is string {
  if (typeof key === "string" && key.length >= 1 && key.length <= 255 && isPlainText(key)) return;
  throw new HandrailError(
    "invalid_request",
    "A key or id of an event has 1 to 255 characters, none of them NUL or half of a surrogate pair.",
  );
}

/**
 * Validates an event completely before anything is written.
 * @throws HandrailError `invalid_input` with the paths of what does not fit the definition's schema; `invalid_request`
 */
export async function prepareEvent<Schema extends StandardSchemaV1>(
  event: string | EventDefinition<Schema>,
  payload: StandardSchemaV1.InferInput<Schema>,
  { runId, key, id, headers: given }: EventOptions = {},
): Promise<EventToSend> {
  const name = nameOf(event);
  checkEventName(name, "invalid_request");
  if (id !== undefined) checkEventKey(id);
  if (key !== undefined) checkEventKey(key);
  const ofRun = runId === undefined ? null : runIdOf(runId);
  if (runId !== undefined && key !== undefined)
    throw new HandrailError("invalid_request", "An event goes to a run or to a key, not to both.");
  const headers = checkedHeaders(given);
  if (runId !== undefined && headers)
    throw new HandrailError("invalid_request", "An event to one run starts no run: it takes no headers.");
  if (typeof event !== "string") await checkPayload(event, payload);
  // The payload as given, not as parsed: the waiter parses it again with its own schema.
  const text = encodeValue(payload, `payload of event "${name}"`);
  const address = { runId: ofRun, key: key ?? null };
  return { name, id: id ?? null, ...address, payload: text, sentBy: null, ...(headers && { headers }) };
}

/** The payload as parsed by the schema. @throws HandrailError `invalid_input` */
export async function checkPayload<Schema extends StandardSchemaV1>(
  { name, payload: schema }: EventDefinition<Schema>,
  payload: unknown,
): Promise<StandardSchemaV1.InferOutput<Schema>> {
  const result = await schema["~standard"].validate(payload);
  if (result.issues) throw invalidInput(`The payload does not fit event "${name}".`, result.issues);
  return result.value as StandardSchemaV1.InferOutput<Schema>;
}
