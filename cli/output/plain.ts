/** Control characters, and marks that reverse the direction of text. */
const ACTED_ON = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const escaped = (mark: string) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Text of a run, on one line and without anything that a terminal would act on: inputs and errors come from elsewhere,
 * and an escape sequence among them could rewrite the screen.
 */
export const plain = (text: string): string => text.replaceAll(/\r?\n|\t/g, " ").replace(ACTED_ON, escaped);

/** JSON, in which a terminal finds nothing to act on; the same value to every reader. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(ACTED_ON, (mark) => (mark === "\n" ? mark : escaped(mark)));
