import { AGE_HEADER, isWalPosition, laterOf, WAL_HEADER, type WalPosition } from "../../engine/wal-position";
import { positionIn, type Sight } from "./sight";

/** The longest lag that a standby may have: by then it has replayed what the cookie asks for. */
const COOKIE_SECONDS = 3_600;

/** By path, of the last answer. */
const ages = new Map<string, number>();

/** How old the data of the last answer was when it arrived; 0 where the primary answered. */
export const ageOf = (path: string): number => ages.get(path) ?? 0;

export const noteAge = (path: string, ageMs: number): void => void ages.set(path, ageMs);

/** Of all tabs of a browser, which sends it by itself: pages and downloads, too. */
export const sightOfBrowser: Sight = {
  headers: () => ({}),
  note: (answered, read) => {
    if (read !== undefined) noteAge(read, Number(answered.get(AGE_HEADER) ?? 0));
    noteInBrowser(positionIn(answered));
  },
};

/** What a page's reads have shown, where a standby is read from. */
export interface Shown {
  /** The browser's reads must not show less. */
  position: WalPosition | null;
  /** By path, of answers from the standby, in milliseconds. */
  ages: [path: string, ageMs: number][];
}

export function noteInBrowser(position: WalPosition | null): void {
  if (position === null) return;
  const shown = positionInCookie(document.cookie);
  if (laterOf(shown, position) === shown) return;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that the console supports
  document.cookie = `${WAL_HEADER}=${position}; Path=/; SameSite=Lax; Max-Age=${COOKIE_SECONDS}${secure}`;
}

export function positionInCookie(cookies: string | null): WalPosition | null {
  const [, value = ""] = new RegExp(`(?:^|;\\s*)${WAL_HEADER}=([^;]*)`).exec(cookies ?? "") ?? [];
  return isWalPosition(value) ? value : null;
}
