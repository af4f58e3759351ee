/** Of loopback alone, as browsers write it. */
export const LOOPBACK_ORIGIN = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

export function isDatabaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, host } = new URL(text);
  // libpq's lists of hosts are no addresses here: node would look for a machine of that name, comma included.
  return /^postgres(ql)?:$/.test(protocol) && pathname.length > 1 && !host.includes(",");
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

/** Passwords and sessions go to a page of another machine over https alone. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return (
    !hostname.includes("*") &&
    text.replace(/\/$/, "") === origin &&
    (protocol === "https:" || LOOPBACK_ORIGIN.test(origin))
  );
}

/** Whoever could read or change what the provider says could be anybody here. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, search, hash, username, password } = new URL(text);
  if (search + hash + username + password !== "" || /[?#]/.test(text)) return false;
  return protocol === "https:" || LOOPBACK_ORIGIN.test(origin);
}

/** Long enough, and no word over and over: what anybody could guess opens no door. */
export function isStrongSecret(text: string): boolean {
  if (!/^[\w~+/.=-]{32,512}$/.test(text) || new Set(text).size < 10) return false;
  return !/^(.+?)\1+$/.test(text) && !/change-?_?me|password|example|your-?_?token/i.test(text);
}
