/**
 * A text as one segment of a URL's path. Browsers and servers remove the segments `.` and `..`, percent-encoded or not,
 * so these two get a tilde in front, and so does whatever looks like the result: `~.` for `.`, `~~.` for `~.`.
 */
export const addressPart = (text: string): string => encodeURIComponent(/^~*\.{1,2}$/.test(text) ? `~${text}` : text);

/** The text of a segment that is already percent-decoded. */
export const textOfPart = (part: string): string => (/^~+\.{1,2}$/.test(part) ? part.slice(1) : part);
