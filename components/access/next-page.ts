/** Where to go after the sign-in: a page of ours that was asked for, or the overview. Never another site, however it is written. */
export function nextPage(search: string, origin: string): string {
  const asked = new URLSearchParams(search).get("next");
  if (asked === null || !asked.startsWith("/")) return "/";
  const url = URL.canParse(asked, origin) ? new URL(asked, origin) : null;
  return url?.origin === origin ? url.pathname + url.search : "/";
}

export const signInPage = ({ pathname, search }: Pick<Location, "pathname" | "search">) =>
  `/sign-in?next=${encodeURIComponent(pathname + search)}`;
