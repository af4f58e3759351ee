/** Loopback only, as browsers write it. */
export const LOOPBACK_ORIGIN = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

export function isDatabaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, host } = new URL(text);
  // libpq's host lists are no addresses here: node would resolve the list as one name, comma included.
  return /^postgres(ql)?:$/.test(protocol) && pathname.length > 1 && !host.includes(",");
}

/** A link for browsers: the id goes into its path, query or fragment, never into its host. */
export function isTraceUrl(text: string): boolean {
  const [one, other] = ["1", "2"].map((id) => text.replaceAll("{traceId}", id)) as [string, string];
  if (one === other || !URL.canParse(one) || !URL.canParse(other)) return false;
  const { protocol, username, password, origin } = new URL(one);
  return /^https?:$/.test(protocol) && username + password === "" && origin === new URL(other).origin;
}

export function isMailServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  return /^smtps?:$/.test(protocol) && hostname !== "" && search + hash === "";
}

export function isReceiver(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  return /^https?:$/.test(protocol) && text.replace(/\/$/, "") === origin;
}

/** Passwords and sessions of pages on other machines require https. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return (
    !hostname.includes("*") &&
    text.replace(/\/$/, "") === origin &&
    (protocol === "https:" || LOOPBACK_ORIGIN.test(origin))
  );
}

/** An attacker who can read or change the provider's answers could sign in as anyone. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, search, hash, username, password } = new URL(text);
  if (search + hash + username + password !== "" || /[?#]/.test(text)) return false;
  return protocol === "https:" || LOOPBACK_ORIGIN.test(origin);
}

/** Long enough and not repetitive: a guessable secret protects nothing. */
export function isStrongSecret(text: string): boolean {
  if (!/^[\w~+/.=-]{32,512}$/.test(text) || new Set(text).size < 10) return false;
  return !/^(.+?)\1+$/.test(text) && !/change-?_?me|password|example|your-?_?token/i.test(text);
}
