import { formatDuration, formatRelative } from "../../lib/format";
import { formatInstant, formatMoment, type TimeStyle } from "../../lib/format/times";
import { BRITISH } from "../../lib/format/viewer-formats";

/** As the console writes times, in the zone of this machine. */
const style = (): TimeStyle => ({ ...BRITISH.times, zone: Intl.DateTimeFormat().resolvedOptions().timeZone });

/** `4 min ago`; nothing without a time. */
export const ago = (at: string | null): string => (at === null ? "" : formatRelative(at, Date.now()));

/** `4 min ago, 21 Nov 2026, 12:05:04.123`; nothing without a time. */
export const agoAt = (at: string | null): string => (at === null ? "" : `${ago(at)}, ${formatInstant(at, style())}`);

/** `12:05:04`, with the day where it is another. */
export const moment = (at: string): string => formatMoment(at, Date.now(), style());

/** From one instant to the other, or until now; nothing where it has not begun. */
export const took = (from: string | null, until: string | null): string =>
  from === null ? "" : formatDuration((until === null ? Date.now() : Date.parse(until)) - Date.parse(from));
