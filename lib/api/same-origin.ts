import { HandrailError } from "../engine/errors";

/** Names of this machine alone. Another name that leads here is a DNS rebinding, or a proxy that should speak for itself. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * There is no sign-in yet: whoever reaches the server may act. So it must not be reached through the browser of somebody who
 * looks at another site: neither under another name, nor by that site's own requests.
 * @throws HandrailError `invalid_request`
 */
export function refuseOtherOrigins(request: Request): void {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (!LOOPBACK.test(host))
    throw new HandrailError("invalid_request", `This server answers to localhost and 127.0.0.1, not to "${host}".`);
  if (request.method === "GET" || request.method === "HEAD") return;
  const origin = request.headers.get("origin");
  if (origin !== null && hostOf(origin) !== host.toLowerCase())
    throw new HandrailError("invalid_request", "Another site's page may not act here.");
  if (request.headers.get("sec-fetch-site") === "cross-site")
    throw new HandrailError("invalid_request", "Another site's page may not act here.");
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : undefined);
