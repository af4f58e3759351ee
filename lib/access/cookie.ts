import type { Env } from "../env";

type Site = Pick<Env, "origin">;

const isSecure = ({ origin }: Site) => origin?.startsWith("https:") ?? false;

/** Over https the browser itself sees to it that nobody but this very host, over https, has set it. */
const nameOf = (site: Site) => (isSecure(site) ? "__Host-handrail" : "handrail");

/** The secret of a session; null where the request has none. */
export function readCookie(headers: Headers, site: Site): string | null {
  const wanted = `${nameOf(site)}=`;
  const found = (headers.get("cookie") ?? "").split(/;\s*/).find((pair) => pair.startsWith(wanted));
  return found === undefined || found.length === wanted.length ? null : found.slice(wanted.length);
}

/** A cookie of the browser's session, out of reach of scripts; without a secret it is taken back. */
export function writeCookie(secret: string | null, site: Site): string {
  const secure = isSecure(site) ? "; Secure" : "";
  const ends = secret === null ? "; Max-Age=0" : "";
  return `${nameOf(site)}=${secret ?? ""}; Path=/; HttpOnly; SameSite=Lax${secure}${ends}`;
}
