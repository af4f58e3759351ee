/**
 * The path and query of a redirect target within this site, or "/". Never returns another site: a browser resolves
 * "/.//evil.example" to a path that begins with two slashes, which is another host.
 */
export function ownPath(asked: string | null | undefined, origin: string): string {
  if (!asked?.startsWith("/") || !URL.canParse(asked, origin)) return "/";
  const url = new URL(asked, origin);
  const path = url.pathname + url.search;
  return url.origin === origin && !path.startsWith("//") ? path : "/";
}
