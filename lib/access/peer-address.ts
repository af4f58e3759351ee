import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/** Node publishes each request here before any other listener sees it. */
const REQUESTS = "http.server.request.start";

const HEADER = "x-forwarded-for";

/**
 * The client's address. Each proxy appends the address it received from; the socket's own address comes last.
 * Everything before our own proxies' entries may be forged by the sender.
 * @param proxies how many of our own proxies are in front
 */
export function clientOf(
  forwarded: string | undefined,
  remote: string | undefined,
  proxies: number,
): string | undefined {
  const before = (forwarded ?? "").split(",").map((address) => address.trim());
  const all = [...before, remote ?? ""].filter((address) => address !== "");
  return all.at(-1 - proxies) ?? all[0];
}

/**
 * Sets every request's `x-forwarded-for` to one address that its sender did not choose: Next would trust the sender's.
 */
export function overwriteForwardedFor(proxies: number): void {
  subscribe(REQUESTS, (message) => {
    const { headers, socket } = (message as { request: IncomingMessage }).request;
    const forwarded = headers[HEADER];
    const client = clientOf(Array.isArray(forwarded) ? forwarded.join() : forwarded, socket.remoteAddress, proxies);
    if (client === undefined) delete headers[HEADER];
    else headers[HEADER] = client;
  });
}
