import type { Env } from "../env";

type Site = Pick<Env, "origin">;

const isSecure = ({ origin }: Site) => origin?.startsWith("https:") ?? false;

/** Over https the browser itself sees to it that nobody but this very host, over https, has set it. */
const prefixed = (name: string, site: Site) => (isSecure(site) ? `__Host-${name}` : name);

/** Of a session, and of a sign-in that is on its way to a provider and back. */
const NAMES = { session: "handrail", flow: "handrail-sign-in" } as const;
type Purpose = keyof typeof NAMES;

/** The secret; null where the request has none. */
export function readCookie(headers: Headers, site: Site, purpose: Purpose = "session"): string | null {
  const wanted = `${prefixed(NAMES[purpose], site)}=`;
  const found = (headers.get("cookie") ?? "").split(/;\s*/).find((pair) => pair.startsWith(wanted));
  return found === undefined || found.length === wanted.length ? null : found.slice(wanted.length);
}

/** A cookie of the browser's session, out of reach of scripts; without a secret it is taken back. Lax: it comes back with whom the provider sends. */
export function writeCookie(secret: string | null, site: Site, purpose: Purpose = "session"): string {
  const secure = isSecure(site) ? "; Secure" : "";
  const ends = secret === null ? "; Max-Age=0" : "";
  return `${prefixed(NAMES[purpose], site)}=${secret ?? ""}; Path=/; HttpOnly; SameSite=Lax${secure}${ends}`;
}
