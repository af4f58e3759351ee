/**
 * A text as one part of an address's path. Browsers and servers take the parts `.` and `..` away, percent-encoded or not, so
 * that these two are written with a tilde in front, and so is whatever looks like it: `~.` for `.`, `~~.` for `~.`.
 */
export const addressPart = (text: string): string => encodeURIComponent(/^~*\.{1,2}$/.test(text) ? `~${text}` : text);

/** The text of a part that is percent-decoded already. */
export const textOfPart = (part: string): string => (/^~+\.{1,2}$/.test(part) ? part.slice(1) : part);
