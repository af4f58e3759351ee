import { ownPath } from "@/lib/engine/access/own-path";

/** Where to go after sign-in: the requested page if it is ours, or the overview. */
export const nextPage = (search: string, origin: string): string =>
  ownPath(new URLSearchParams(search).get("next"), origin);

export const signInPage = ({ pathname, search }: Pick<Location, "pathname" | "search">) =>
  `/sign-in?next=${encodeURIComponent(pathname + search)}`;
