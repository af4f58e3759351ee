import { addressOf } from "./address";
import { type Client, clientOf, type Given, type PathOf } from "./client";
import { sightOfBrowser } from "./sight-of-browser";

const BASE = "/api";

/** The server gives up sooner by itself: what takes longer has lost its connection. */
const LONGEST_READ_MS = 25_000;

/** The address of a stream or a download, which the browser opens itself. */
export const hrefOf = <P extends PathOf<"GET">>(path: P, given: Given<P>): string => BASE + addressOf(path, given);

/** Of the page's own server. */
const server = clientOf({ base: BASE, sight: sightOfBrowser });

export const { post, put } = server;

export const read: Client["read"] = (path, given, { signal } = {}) => {
  const limit = AbortSignal.timeout(LONGEST_READ_MS);
  return server.read(path, given, { signal: signal ? AbortSignal.any([signal, limit]) : limit });
};
