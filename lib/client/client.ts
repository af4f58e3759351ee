import {
  type AnswerOf,
  type Client,
  clientOf,
  type Given,
  newIdempotencyKey,
  type RequestOf,
} from "../api/client/client";
import { sightOfClient } from "../api/client/sight";
import { HandrailError } from "../engine/errors";
import { outcomeError } from "../engine/runs/outcome-error";
import { hasEnded, type RunStatus } from "../engine/runs/run";
import { placeOf, type Server } from "./place";
import { fromJson, toJson } from "./values";

export {
  type AnswerOf,
  ApiError,
  type Client,
  type Given,
  newIdempotencyKey,
  type PathOf,
  type RequestOf,
} from "../api/client/client";
export type { Contract } from "../api/client/contract";
export { type ErrorCode, HandrailError, isHandrailError } from "../engine/errors";
export type { Server } from "./place";

/** The server holds one request back for at most as long. */
const LONGEST_WAIT_MS = 60_000;
const PATIENCE_MS = 30_000;

export interface ClientOptions extends Server {
  /**
   * How long a request is sent again while the server is not there or is busy, in milliseconds. A server that does not answer is
   * waited for as long, and at least five seconds. Default 30,000.
   */
  patienceMs?: number;
}

export type Run = AnswerOf<"GET", "/v1/runs/{runId}">;
export type RunList = AnswerOf<"GET", "/v1/runs">;
export type StartHow = Omit<RequestOf<"POST", "/v1/runs">, "workflow" | "input">;

export interface SendHow {
  /** The run to send it to. Not together with `key`. */
  runId?: string;
  /** The business key to send it to, such as a parcel's number. 255 characters at most. */
  key?: string;
  /** Chosen by the sender: events of one name and id count once. Default: a new one. */
  id?: string;
}

export interface WaitOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** One run. Making a handle asks nothing. */
export interface HttpRunHandle {
  readonly id: string;
  /**
   * The run's output, once it has ended. What this caller may not see of it is left masked, as JSON.
   * @throws HandrailError `run_failed`, with the run's error as its cause; `wait_timed_out` after `timeoutMs` (default: never)
   */
  result<Output = unknown>(options?: WaitOptions): Promise<{ output: Output }>;
  /**
   * What its code has published under a name, once it has.
   * @throws ApiError `not_found` once the run has ended without; HandrailError `wait_timed_out` after `timeoutMs` (default: never)
   */
  published<Value = unknown>(name: string, options?: WaitOptions): Promise<Value>;
  status(): Promise<Run>;
  /** Ends it: at once if no worker has it, else at the end of the body in flight. `reason` is for the audit. */
  cancel(options?: { reason?: string }): Promise<void>;
  send(event: string, payload: unknown, options?: Pick<SendHow, "id">): Promise<void>;
}

/** Every request is sent again until it is answered, and takes effect once. Each method throws an ApiError where it is refused. */
export interface HttpClient extends Client {
  /** Starts a run, or finds the one that the same idempotency key and input had started. */
  start(workflow: string, input: unknown, how?: StartHow): Promise<HttpRunHandle>;
  run(id: string): HttpRunHandle;
  /** The runs that fit a filter, newest first, a page at a time. */
  list(filter?: Given<"/v1/runs">): Promise<RunList>;
  /** Sends an event to a run, to all that wait for a key, or, with neither, to the workflows that it starts. */
  send(event: string, payload: unknown, how?: SendHow): Promise<void>;
}

/** Handrail over HTTP, for browsers, edges and servers. `read`, `post` and `put` have every path of the API, typed. */
export function createClient({ patienceMs = PATIENCE_MS, ...server }: ClientOptions): HttpClient {
  const sight = sightOfClient();
  const within: Within = (ms = patienceMs) => clientOf({ ...placeOf(server, Math.min(patienceMs, ms)), sight });
  const api = within();
  const post: Client["post"] = (path, params, sending) =>
    api.post(path, params, { idempotencyKey: newIdempotencyKey(), ...sending });
  const put: Client["put"] = (path, params, sending) =>
    api.put(path, params, { idempotencyKey: newIdempotencyKey(), ...sending });
  const send: HttpClient["send"] = async (name, payload, { runId, key, id = newIdempotencyKey() } = {}) => {
    const event = { name, payload: toJson(payload, "payload"), id };
    if (runId === undefined) await post("/v1/events", {}, { request: { ...event, ...(key !== undefined && { key }) } });
    else await post("/v1/runs/{runId}/events", { runId }, { request: event });
  };
  const run = (id: string): HttpRunHandle => ({
    id,
    result: async <Output>({ timeoutMs = Number.POSITIVE_INFINITY, signal }: WaitOptions = {}) => ({
      output: (await outputOf(within, id, timeoutMs, signal)) as Output,
    }),
    published: async <Value>(name: string, { timeoutMs = Number.POSITIVE_INFINITY, signal }: WaitOptions = {}) =>
      (await publishedBy(within, id, name, timeoutMs, signal)) as Value,
    status: () => api.read("/v1/runs/{runId}", { runId: id }),
    cancel: async ({ reason = "A program cancelled it" } = {}) =>
      void (await post("/v1/runs/{runId}/cancellation", { runId: id }, { request: { reason } })),
    send: (event, payload, options = {}) => send(event, payload, { ...options, runId: id }),
  });
  return {
    read: api.read,
    post,
    put,
    send,
    run,
    list: (filter = {}) => api.read("/v1/runs", filter),
    start: async (workflow, input, how = {}) => {
      const request = { ...how, workflow, input: toJson(input, "input") };
      return run((await post("/v1/runs", {}, { request })).id);
    },
  };
}

/** The client, with less patience where `ms` is less. */
type Within = (ms?: number) => Client;

/** Asks again and again, each time as long as the API waits. `undefined` of `read`: not yet. @throws HandrailError `wait_timed_out` */
async function waitFor<Answer>(
  read: (api: Client, waitMs: number) => Promise<{ status: RunStatus; answer?: Answer }>,
  within: Within,
  runId: string,
  timeoutMs: number,
  what: string,
): Promise<Answer | undefined> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(until - performance.now(), 0);
    const found = await read(within(leftMs), Math.floor(Math.min(leftMs, LONGEST_WAIT_MS)));
    if ("answer" in found) return found.answer;
    const { status } = found;
    if (performance.now() >= until)
      throw new HandrailError(
        "wait_timed_out",
        `The run ${runId} has not ${what} within ${timeoutMs} ms: it is ${status}. It goes on; ask again.`,
        { runId, status },
      );
  }
}

function outputOf(within: Within, runId: string, timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
  const options = signal ? { signal } : {};
  const read = async (api: Client, waitMs: number) => {
    const { workflow, status, output, error } = await api.read("/v1/runs/{runId}/result", { runId, waitMs }, options);
    if (status === "completed")
      return { status, answer: fromJson(await whole(within, { runId, part: "output" }, output, options)) };
    if (hasEnded(status))
      throw outcomeError("run_failed", { id: runId, workflow, status, error: error && JSON.stringify(error) });
    return { status };
  };
  return waitFor(read, within, runId, timeoutMs, "ended");
}

/** A value over 1 MiB has a placeholder in answers about its run. It is there in time: reading it takes what it takes. */
async function whole(
  within: Within,
  asked: Given<"/v1/runs/{runId}/value">,
  json: unknown,
  options: { signal?: AbortSignal },
): Promise<unknown> {
  const isElsewhere = (json as { $type?: unknown } | null)?.$type === "blob";
  return isElsewhere ? (await within().read("/v1/runs/{runId}/value", asked, options)).value : json;
}

function publishedBy(
  within: Within,
  runId: string,
  name: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<unknown> {
  const options = signal ? { signal } : {};
  const read = async (api: Client, waitMs: number) => {
    const asked = { runId, name, waitMs };
    const { status, published, value } = await api.read("/v1/runs/{runId}/published/{name}", asked, options);
    if (!published) return { status };
    return { status, answer: fromJson(await whole(within, { runId, part: "step", step: name }, value, options)) };
  };
  return waitFor(read, within, runId, timeoutMs, `published "${name}"`);
}
