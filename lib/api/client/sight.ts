import { isWalPosition, laterOf, WAL_HEADER, type WalPosition } from "../../engine/wal-position";

/** What answers have shown so far, where Handrail reads from a standby: later reads must not show less. */
export interface Sight {
  /** Sent with each request. */
  headers(): Record<string, string>;
  /** @param read the path of a read; without it, the answer is to a write */
  note(answered: Headers, read?: string): void;
}

/** Of one client, as long as it lives. */
export function sightOfClient(): Sight {
  let shown: WalPosition | null = null;
  return {
    headers: (): Record<string, string> => (shown === null ? {} : { [WAL_HEADER]: shown }),
    note: (answered) => {
      shown = laterOf(shown, positionIn(answered));
    },
  };
}

export function positionIn(answered: Headers): WalPosition | null {
  const value = answered.get(WAL_HEADER) ?? "";
  return isWalPosition(value) ? value : null;
}
