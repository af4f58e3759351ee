/**
 * Where to go within this site: the path and query of what was asked for, or "/". Never another site, however it is written:
 * what a browser makes of "/.//evil.example" begins with two slashes, which is another host.
 */
export function ownPath(asked: string | null | undefined, origin: string): string {
  if (!asked?.startsWith("/") || !URL.canParse(asked, origin)) return "/";
  const url = new URL(asked, origin);
  const path = url.pathname + url.search;
  return url.origin === origin && !path.startsWith("//") ? path : "/";
}
