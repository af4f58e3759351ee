import dns from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address";
import { checkReceiver, hostOf, notPublic } from "./receiver";

/** From the name lookup to the end of the answer. */
const TIMEOUT_MS = 10_000;
/** Of the answer: the rest is not read. */
const MAX_ANSWER_BYTES = 65_536;

/** The receiver's answer; `code` is null without one, and then it is unknown whether it got the message. */
export interface Posted {
  code: number | null;
  error: string | null;
  /** From Retry-After; 0 without it. */
  retryAfterMs: number;
  /** Its text, if it arrived whole: for services that say in it whether they accepted. It is not kept. */
  text?: string;
}

export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

interface PostOptions {
  /** Origins that the environment allows. */
  internal: readonly string[];
  signal?: AbortSignal;
  /** For tests: resolves a name's addresses. Default: the system's resolver. */
  resolve?: Resolve;
  timeoutMs?: number;
}

const systemResolve: Resolve = (host) => dns.lookup(host, { all: true, verbatim: true });

/**
 * Posts once. The name is resolved once, each of its addresses is checked, and the connection uses exactly these: a
 * later change of the name has no effect. No redirect is followed, no proxy of the environment is used.
 */
export async function post(
  text: string,
  body: string,
  headers: Record<string, string>,
  { internal, signal, resolve = systemResolve, timeoutMs = TIMEOUT_MS }: PostOptions,
): Promise<Posted> {
  const url = checkReceiver(text, internal);
  if (typeof url === "string") return refused(url);
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = signal ? AbortSignal.any([deadline, signal]) : deadline;
  try {
    const addresses = await untilStopped(addressesOf(url, internal.includes(url.origin), resolve), stop);
    if (typeof addresses === "string") return refused(addresses);
    return await send(url, body, headers, { addresses, stop });
  } catch (error) {
    if (deadline.aborted) return refused(`No answer within ${timeoutMs / 1_000} seconds.`);
    if (signal?.aborted) throw error;
    return refused(wordsOf(error, url));
  }
}

const refused = (error: string): Posted => ({ code: null, error, retryAfterMs: 0 });

type Addresses = { address: string; family: number }[];

/** The name's current addresses, or a sentence: one address that is not public refuses all of them. */
async function addressesOf(url: URL, isInternal: boolean, resolve: Resolve): Promise<Addresses | string> {
  const host = hostOf(url);
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (addresses.length === 0) return `The name "${host}" has no address.`;
  return isInternal || addresses.every(({ address }) => isPublicAddress(address)) ? addresses : notPublic(host);
}

function send(
  url: URL,
  body: string,
  headers: Record<string, string>,
  { addresses, stop }: { addresses: Addresses; stop: AbortSignal },
): Promise<Posted> {
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((settle, reject) => {
    const sending = request(url, {
      method: "POST",
      // A new connection, so that none to an earlier address is reused.
      agent: false,
      lookup: pinnedTo(addresses),
      headers: { ...headers, "content-length": Buffer.byteLength(body), connection: "close" },
      signal: stop,
    });
    sending.on("error", reject);
    sending.on("response", (response) => {
      const posted = judge(response);
      const chunks: Buffer[] = [];
      let bytes = 0;
      const done = () => {
        settle(posted);
        response.destroy();
      };
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) done();
      });
      response.on("end", () => {
        if (response.complete) posted.text = Buffer.concat(chunks).toString();
        done();
      });
      // The status is known; the rest of the answer does not matter.
      response.on("error", done).on("aborted", done);
    });
    sending.end(body);
  });
}

/** Whatever the name resolves to now. */
const pinnedTo = (addresses: Addresses): LookupFunction =>
  ((_host, options, done) => {
    const [first] = addresses as [Addresses[number]];
    if (typeof options === "object" && options.all) return done(null, addresses);
    done(null, first.address, first.family);
  }) as LookupFunction;

function judge({ statusCode = 0, headers }: http.IncomingMessage): Posted {
  if (statusCode >= 200 && statusCode < 300) return { code: statusCode, error: null, retryAfterMs: 0 };
  const seconds = Number(headers["retry-after"]);
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0;
  const why = statusCode >= 300 && statusCode < 400 ? ": redirects are not followed" : "";
  return { code: statusCode, error: `The receiver answered ${statusCode}${why}.`, retryAfterMs };
}

/** In our own words: text of a receiver or a certificate must not look like ours. */
function wordsOf(error: unknown, url: URL): string {
  const { code } = (error ?? {}) as { code?: unknown };
  const known = typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? code : "ERROR";
  if (known === "ENOTFOUND" || known === "EAI_AGAIN")
    return `The name "${hostOf(url)}" could not be resolved (${known}).`;
  return `The receiver could not be reached (${known}).`;
}

function untilStopped<Result>(work: Promise<Result>, stop: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onStop = () => reject(stop.reason);
    stop.addEventListener("abort", onStop, { once: true });
    work.then(resolve, reject).finally(() => stop.removeEventListener("abort", onStop));
  });
}
