import type { StandardSchemaV1 } from "@standard-schema/spec";
import { HandrailError } from "../errors";
import type { Headers } from "../runs/headers";
import type { TraceText } from "../traces/trace-context";

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
  /** Of the runs that the event starts. Not together with `runId`. */
  headers?: Headers;
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
  /** Of the runs that it starts; absent or null: none. */
  headers?: Headers | null;
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

/** In lower case, as PostgreSQL writes it: notes and the audit log have it as a text. */
export function runIdOf(runId: unknown): string {
  if (typeof runId === "string" && UUID.test(runId)) return runId.toLowerCase();
  throw new HandrailError("invalid_request", `${JSON.stringify(runId)?.slice(0, 80)} is not the id of a run.`);
}
