import type { Asker } from "../../access/asker";
import { CALLER_HEADER, callerFor } from "../../access/fleet-caller";
import { HandrailError } from "../../engine/errors";
import { AGE_HEADER, WAL_HEADER } from "../../engine/wal-position";
import type { FleetSettings } from "../../env-fleet";
import { chunksOf } from "../http/request-body";

/** As much as the largest body of an action, and of starts of many. */
export const MAX_SENT_ON_BYTES = 2_097_152;

/** Until an answer begins. A console that works reads within milliseconds; one whose database hangs answers within five seconds. */
const READ_MS = 8_000;
/** As long as the API lets anybody wait for an end. */
const MOST_WAIT_MS = 60_000;
/** A plan looks at up to 100,000 runs. */
const WRITE_MS = 60_000;

const SENT = ["content-type", "idempotency-key", "accept", WAL_HEADER] as const;
const ANSWERED = ["content-type", "content-disposition", "retry-after", "allow", WAL_HEADER, AGE_HEADER] as const;
const TYPES = ["application/json", "application/x-ndjson", "text/csv", "text/plain"];

/**
 * Sends a request on to the console of a cell, as this caller, and its answer back.
 * @throws HandrailError `not_found` for a cell that is not in the fleet, and for a path that is not sent on; `unavailable`
 * when its console does not answer
 */
export async function askCell(
  fleet: FleetSettings | null,
  cell: string,
  asker: Asker,
  request: Request,
): Promise<Response> {
  const origin = fleet?.cells.get(cell);
  if (fleet === null || origin === undefined)
    throw new HandrailError("not_found", `There is no cell "${cell}" in this fleet.`);
  const path = pathIn(request.url, cell);
  const { method } = request;
  const chunks: Uint8Array[] = [];
  if (method !== "GET") for await (const chunk of chunksOf(request, MAX_SENT_ON_BYTES)) chunks.push(chunk);
  const headers = headersOf(request.headers, SENT);
  headers.set(CALLER_HEADER, callerFor(cell, fleet, asker, { method, path }));
  const body = method === "GET" ? null : Buffer.concat(chunks);
  const { answer, error } = await begun(request, { url: `${origin}${path}`, method, headers, body });
  if (answer?.status === 401) throw await notAccepted(cell, answer);
  const type = answer?.headers.get("content-type")?.split(";", 1)[0] ?? "";
  if (answer && TYPES.includes(type))
    return new Response(answer.body, { status: answer.status, headers: headersOf(answer.headers, ANSWERED) });
  await answer?.body?.cancel();
  const because = answer ? `does not answer as Handrail does (HTTP ${answer.status})` : "does not answer";
  const said = `The console of the cell "${cell}" at ${origin} ${because}.`;
  throw new HandrailError("unavailable", said, { cell }, { cause: error });
}

interface Sending {
  url: string;
  method: string;
  headers: Headers;
  body: Buffer<ArrayBuffer> | null;
}

/**
 * The answer once it begins, or why it does not: all of an export may take longer. The timer is Node's: a signal of
 * `AbortSignal.timeout` within `AbortSignal.any` may be garbage-collected, and then a cell that hangs is waited for without end.
 */
async function begun(
  request: Request,
  { url, ...sending }: Sending,
): Promise<{ answer: Response; error?: never } | { answer?: never; error: unknown }> {
  const late = new AbortController();
  const waitMs = Math.min(Number(new URL(url).searchParams.get("waitMs")) || 0, MOST_WAIT_MS);
  const stop = () => late.abort();
  const timer = setTimeout(stop, sending.method === "GET" ? READ_MS + waitMs : WRITE_MS);
  request.signal.addEventListener("abort", stop, { once: true });
  if (request.signal.aborted) stop();
  try {
    return { answer: await fetch(url, { ...sending, redirect: "error", signal: late.signal }) };
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
  }
}

/** It is this console that is not accepted: its caller is signed in. */
async function notAccepted(cell: string, answer: Response): Promise<HandrailError> {
  const body = await answer.json().catch(() => undefined);
  const because = body?.error?.message ?? "It gives no reason.";
  return new HandrailError("unavailable", `The console of the cell "${cell}" does not accept this one. ${because}`, {
    cell,
  });
}

/** What is below `/api/v1/cells/{cell}`, as it was sent: a step may have any name. */
function pathIn(url: string, cell: string): string {
  const { pathname, search } = new URL(url);
  const rest = pathname.split("/").slice(5).join("/");
  // A stream is opened at its own console, and a cell is asked directly, not through another one.
  if (/^v1\/(?!cells(\/|$)|stream$|session)/.test(rest)) return `/api/${rest}${search}`;
  throw new HandrailError("not_found", `/${rest} of "${cell}" is not asked from here: ask its own console.`);
}

function headersOf(from: Headers, names: readonly string[]): Headers {
  return new Headers(
    names.flatMap((name): [string, string][] => {
      const value = from.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
