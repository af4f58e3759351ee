import { COUNT_CAP } from "@/lib/api/contract/caps";
import { atLeast, formatCount, formatShortCount } from "@/lib/format";

/** How many runs have a status or an attention, as they were counted. */
export interface RunCount {
  count: number;
  /** Counting stopped: there may be more. */
  partial: boolean;
}

/** `5,000+` where there may be more. */
export const countText = ({ count, partial }: RunCount): string =>
  partial ? atLeast(count, true) : formatCount(count, COUNT_CAP);

/** The same for small spaces: `5k+`. */
export const shortCountText = ({ count, partial }: RunCount): string =>
  partial ? atLeast(count, true, formatShortCount) : formatShortCount(count, COUNT_CAP);

/** The whole number, and what a sign after it means. */
export function countWords(word: string, { count, partial }: RunCount): string {
  if (!partial) return `${word}: ${formatCount(count, COUNT_CAP)}`;
  return count > 0
    ? `${word}: ${formatCount(count)} or more. Not all runs were checked.`
    : `${word}: none among the runs checked. There may be others.`;
}
