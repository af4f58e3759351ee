import type { Env } from "../env";

type Site = Pick<Env, "origin">;

const isSecure = ({ origin }: Site) => origin?.startsWith("https:") ?? false;

/** Over https the `__Host-` rules of the browser guarantee that only this host, over https, has set it. */
const prefixed = (name: string, site: Site) => (isSecure(site) ? `__Host-${name}` : name);

/** Cookies of a session, and of a sign-in in progress with a provider. */
const NAMES = { session: "handrail", flow: "handrail-sign-in" } as const;
type Purpose = keyof typeof NAMES;

/** The secret; null where the request has none. */
export function readCookie(headers: Headers, site: Site, purpose: Purpose = "session"): string | null {
  const wanted = `${prefixed(NAMES[purpose], site)}=`;
  const found = (headers.get("cookie") ?? "").split(/;\s*/).find((pair) => pair.startsWith(wanted));
  return found === undefined || found.length === wanted.length ? null : found.slice(wanted.length);
}

/**
 * A session cookie that scripts cannot read; without a secret, the cookie is cleared. Lax, so that the redirect from
 * the provider carries it.
 */
export function writeCookie(secret: string | null, site: Site, purpose: Purpose = "session"): string {
  const secure = isSecure(site) ? "; Secure" : "";
  const ends = secret === null ? "; Max-Age=0" : "";
  return `${prefixed(NAMES[purpose], site)}=${secret ?? ""}; Path=/; HttpOnly; SameSite=Lax${secure}${ends}`;
}
