import { isIP } from "node:net";
import { isPublicAddress } from "./public-address";

/** Longer than any real receiver's; URLs are shown on one line. */
const MAX_URL = 2_000;

/**
 * Checks the text of a webhook's URL; its name is resolved and checked again at every delivery.
 * @param internal origins that the environment allows in any form: http, other ports, private addresses
 * @returns the normalized URL, or a sentence that says what is wrong with it
 */
export function checkReceiver(text: string, internal: readonly string[]): URL | string {
  if (text.length > MAX_URL) return `The address is longer than ${MAX_URL} characters.`;
  // URL drops parts that could deceive the reader.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text) || !URL.canParse(text)) return "This is not the address of a web service.";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    return "The address must not hold a user's name or password: people read it. The signature proves who sends.";
  if (url.hash !== "") return "The address must not have a part after #: it is never sent.";
  if (internal.includes(url.origin)) return url;
  if (url.protocol !== "https:") return "The address must begin with https://.";
  if (url.port !== "") return "The address must not name a port: it is 443.";
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isPublicAddress(host)) return notPublic(host);
  return url;
}

/** Of a URL, an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

export const notPublic = (host: string): string =>
  `"${host}" is in a private network, not on the public internet. HANDRAIL_INTERNAL_RECEIVERS can allow it.`;
