import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/** Node tells of each request here before anybody else has seen it. */
const REQUESTS = "http.server.request.start";

const HEADER = "x-forwarded-for";

/**
 * From whom a request comes. Each proxy adds whom it heard to the end of what it was told, and whom we heard ourselves is the end
 * of all; what stands before our own proxies' words is whatever the sender made up.
 * @param proxies how many of our own stand in front
 */
export function clientOf(told: string | undefined, heard: string | undefined, proxies: number): string | undefined {
  const before = (told ?? "").split(",").map((address) => address.trim());
  const all = [...before, heard ?? ""].filter((address) => address !== "");
  return all.at(-1 - proxies) ?? all[0];
}

/** From now on, every request's `x-forwarded-for` is one address that its sender did not choose: Next would take theirs. */
export function tellPeers(proxies: number): void {
  subscribe(REQUESTS, (message) => {
    const { headers, socket } = (message as { request: IncomingMessage }).request;
    const told = headers[HEADER];
    const client = clientOf(Array.isArray(told) ? told.join() : told, socket.remoteAddress, proxies);
    if (client === undefined) delete headers[HEADER];
    else headers[HEADER] = client;
  });
}
