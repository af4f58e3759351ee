/** A position in the write-ahead log of the primary (LSN), as PostgreSQL writes it: `16/B374D848`. */
export type WalPosition = string;

/** The name of the request header, the response header and the cookie that carry a position. */
export const WAL_HEADER = "handrail-wal";

/** How old the data of an answer from a standby was, in milliseconds. */
export const AGE_HEADER = "handrail-data-age-ms";

export const isWalPosition = (text: string): text is WalPosition => /^[\dA-F]{1,8}\/[\dA-F]{1,8}$/i.test(text);

/** Whether everything up to `wanted` is included in `reached`. */
export function isReached(wanted: WalPosition, reached: WalPosition): boolean {
  const [[high, low], [reachedHigh, reachedLow]] = [halves(wanted), halves(reached)];
  return high < reachedHigh || (high === reachedHigh && low <= reachedLow);
}

/** The later of two; null where there is neither. */
export function laterOf(one: WalPosition | null, other: WalPosition | null): WalPosition | null {
  if (one === null || other === null) return one ?? other;
  return isReached(one, other) ? other : one;
}

function halves(position: WalPosition): readonly [number, number] {
  const [high = "", low = ""] = position.split("/");
  return [Number.parseInt(high, 16), Number.parseInt(low, 16)];
}
