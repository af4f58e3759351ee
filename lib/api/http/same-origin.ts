import { HandrailError } from "../../engine/errors";
import type { Env } from "../../env";

/** Names of this machine only. Another name that leads here is DNS rebinding, or a proxy that must identify itself. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

type Site = Pick<Env, "origin">;

/**
 * Another site must not reach the server through a visitor's browser: neither under another name, nor by its own
 * requests. A mutation with a cookie must name its origin, as browsers do.
 * @throws HandrailError `invalid_request`
 */
export function refuseOtherOrigins(request: Request, site: Site): void {
  const { host, pathname: path } = new URL(request.url);
  const authorization = request.headers.get("authorization");
  refuseOtherHosts(request.headers.get("host") ?? host, site, { path, authorization });
  refuseForeignMutations(request, site);
}

/**
 * For a server of any name: what another site's page sends is refused, and nothing else.
 * @throws HandrailError `invalid_request`
 */
export function refuseForeignMutations(request: Request, { origin: ours }: Site): void {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (request.method === "GET" || request.method === "HEAD") return;
  const origin = request.headers.get("origin");
  const isOurs = ours !== null && isHostOf(host, ours);
  if (origin !== null && !(isOurs ? origin === ours : isOriginOf(origin, host))) throw refused();
  if (request.headers.get("sec-fetch-site") === "cross-site") throw refused();
}

/**
 * Prometheus and collectors know the server by its name in their network. A token proves that such a request is none that a
 * visitor's browser was led to: where there is one, no caller is answered without it.
 */
const OF_PROGRAMS = ["/metrics", "/api/v1/metrics", "/api/v1/otlp/v1/traces"];

/**
 * @param asked the path, and the Authorization header if there is one; absent: a page
 * @throws HandrailError `invalid_request`
 */
export function refuseOtherHosts(
  host: string,
  { origin: ours }: Site,
  asked?: { path: string; authorization: string | null | undefined },
): void {
  if (LOOPBACK.test(host) || (ours !== null && isHostOf(host, ours))) return;
  if (asked?.authorization && OF_PROGRAMS.includes(asked.path)) return;
  const names = ours === null ? "localhost and 127.0.0.1" : new URL(ours).host;
  throw new HandrailError("invalid_request", `This server answers to ${names}, not to "${host}".`);
}

const isHostOf = (host: string, origin: string) => host.toLowerCase() === new URL(origin).host;

/** @throws HandrailError `invalid_request` for a mutation with a session's cookie from a foreign page */
export function refuseWithoutOrigin({ method, headers }: Request): void {
  if (method !== "GET" && method !== "HEAD" && headers.get("origin") === null) throw refused();
}

const refused = () => new HandrailError("invalid_request", "Another site's page may not act here.");

/** Exact comparison, as browsers write it: any other spelling of the same host does not come from our page. */
const isOriginOf = (origin: string, host: string) =>
  ["http://", "https://"].some((scheme) => origin === scheme + host.toLowerCase());
