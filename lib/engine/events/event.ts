import type { StandardSchemaV1 } from "@standard-schema/spec";
import { HandrailError } from "../errors";
import { invalidInput } from "../invalid-input";
import type { TraceText } from "../traces/trace-context";
import { encodeValue } from "../values/codec";
import { isPlainText } from "../values/plain-text";

/** An event with its payload schema, which is checked when it is sent and when it is received. */
export interface EventDefinition<Schema extends StandardSchemaV1 = StandardSchemaV1> {
  readonly name: string;
  /** Any Standard Schema (zod, valibot, arktype…). */
  readonly payload: Schema;
}

export interface EventOptions {
  /** The run to send it to. Not together with `key`. */
  runId?: string;
  /** The business key to send it to, such as a parcel's number, for runs that wait for it. 255 characters at most. */
  key?: string;
  /** Chosen by the sender: events of one name and id count once. 255 characters at most. Default: a new one. */
  id?: string;
}

/** A validated event, ready to be sent. */
export interface EventToSend {
  name: string;
  /** Null: the store generates one. */
  id: string | null;
  runId: string | null;
  key: string | null;
  /** Encoded by the codec. */
  payload: string;
  /** The sender; null for programs. */
  sentBy: string | null;
  /** Of the span that sends it; absent: none. */
  trace?: TraceText | null;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws HandrailError `invalid_workflow` for an invalid name */
export function defineEvent<Schema extends StandardSchemaV1>(
  definition: EventDefinition<Schema>,
): EventDefinition<Schema> {
  checkEventName(definition.name, "invalid_workflow");
  return definition;
}

/** Undefined where JavaScript gave nothing: `checkEventName` refuses that. */
export const nameOf = (event: string | EventDefinition | undefined): string =>
  typeof event === "string" ? event : (event?.name as string);

/** Letters, digits and `.`, `_`, `-`, `:`, `/`; 200 characters at most. */
export function checkEventName(name: unknown, code: "invalid_workflow" | "invalid_request"): asserts name is string {
  if (typeof name === "string" && NAME.test(name)) return;
  throw new HandrailError(
    code,
    `This cannot name an event${code === "invalid_workflow" ? `: ${JSON.stringify(name)?.slice(0, 80)}` : ""}. Use letters, digits, ".", "_", "-", ":" and "/", such as "order.paid".`,
  );
}

export function checkEventKey(key: unknown): asserts key is string {
  if (typeof key === "string" && key.length >= 1 && key.length <= 255 && isPlainText(key)) return;
  throw new HandrailError(
    "invalid_request",
    "A key or id of an event has 1 to 255 characters, none of them NUL or half of a surrogate pair.",
  );
}

export function checkRunId(runId: unknown): asserts runId is string {
  if (typeof runId === "string" && UUID.test(runId)) return;
  throw new HandrailError("invalid_request", `${JSON.stringify(runId)?.slice(0, 80)} is not the id of a run.`);
}

/**
 * Validates an event completely before anything is written.
 * @throws HandrailError `invalid_input` with the paths of what does not fit the definition's schema; `invalid_request`
 */
export async function prepareEvent<Schema extends StandardSchemaV1>(
  event: string | EventDefinition<Schema>,
  payload: StandardSchemaV1.InferInput<Schema>,
  { runId, key, id }: EventOptions = {},
): Promise<EventToSend> {
  const name = nameOf(event);
  checkEventName(name, "invalid_request");
  if (id !== undefined) checkEventKey(id);
  if (key !== undefined) checkEventKey(key);
  if (runId !== undefined) checkRunId(runId);
  if (runId !== undefined && key !== undefined)
    throw new HandrailError("invalid_request", "An event goes to a run or to a key, not to both.");
  if (typeof event !== "string") await checkPayload(event, payload);
  // The payload as given, not as parsed: the waiter parses it again with its own schema.
  const text = encodeValue(payload, `payload of event "${name}"`);
  return { name, id: id ?? null, runId: runId ?? null, key: key ?? null, payload: text, sentBy: null };
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
