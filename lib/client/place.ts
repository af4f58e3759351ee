import type { Place } from "../api/client/client";
import { sendAgain } from "./send-again";

/** Where Handrail is, and who asks. */
export interface Server {
  /** Of the console or of an app that serves the API, without a path of the API: `https://handrail.example.com`. */
  url: string;
  /** What comes before `/v1`. Default `/api`; with a handler within an app, where that is: `/handrail`. */
  path?: string;
  /** Made in the console; needed where there is sign-in. */
  token?: string;
  /** Default: the platform's. */
  fetch?: typeof fetch;
}

/**
 * @param forMs how long a request is sent again while the server is not there or is busy
 * @param longestTryMs as in `sendAgain`
 */
export const placeOf = (
  { url, path = "/api", token, fetch: send = fetch }: Server,
  forMs: number,
  longestTryMs?: number,
): Place & { fetch: typeof fetch } => ({
  base: url.replace(/\/+$/, "") + path,
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  fetch: sendAgain((...request) => send(...request), forMs, longestTryMs),
});
