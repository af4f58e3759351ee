/** What stands in a text where something is hidden. */
export const HIDDEN = "•••";

/** Hides values wherever they stand in texts. */
export interface HiddenText {
  hideIn(text: string): string;
}

export const NOTHING_HIDDEN: HiddenText = { hideIn: (text) => text };

/** Where what has to be hidden is not known whole, no text can be told. */
export const ALL_HIDDEN: HiddenText = { hideIn: (text) => (text === "" ? "" : HIDDEN) };

/** So many characters of a longer value are enough to know it by; texts are cut, and a part of it tells of it, too. */
const HEAD = 24;
/** A text that was cut may end within a value; this much of its beginning is hidden there. */
const LEAST_AT_END = 6;
/** A text of this length may have been cut without saying so. A shorter one that a value begins with is one of its own: an order's number, say. */
const MAYBE_CUT = 200;
/** More than these make a text too costly to look through. */
const MAX_SECRETS = 2_000;

/**
 * As it is written, and as it stands in an address or in JSON; without regard to case. Of a long one, what a text has of it from
 * its beginning on. A number is not looked for within a longer one.
 */
export function hiddenText(secrets: Iterable<string>): HiddenText {
  const variants = [...new Set([...secrets].flatMap(variantsOf))].sort((a, b) => b.length - a.length);
  if (variants.length === 0) return NOTHING_HIDDEN;
  if (variants.length > MAX_SECRETS) return ALL_HIDDEN;
  const pattern = new RegExp(variants.map(patternOf).join("|"), "gi");
  const lower = variants.map((variant) => variant.toLowerCase());
  return { hideIn: (text) => hideEnd(hide(text, pattern, lower), lower) };
}

function variantsOf(secret: string): string[] {
  const written = [secret, secret.trim()];
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...written, inJson, ...(secret.isWellFormed() ? [encodeURIComponent(secret)] : [])];
}

function patternOf(variant: string): string {
  const text = variant.slice(0, HEAD).replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return /^\d+$/.test(variant) ? `(?<!\\d)${text}${variant.length > HEAD ? "" : "(?!\\d)"}` : text;
}

function hide(text: string, pattern: RegExp, variants: readonly string[]): string {
  let shown = "";
  let from = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const length = Math.max(match[0].length, ...variants.map((variant) => commonLength(text, match.index, variant)));
    shown += text.slice(from, match.index) + HIDDEN;
    from = match.index + length;
    pattern.lastIndex = from;
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** How much of the value stands there: 0 unless it is all of it, or its head and more. */
function commonLength(text: string, at: number, variant: string): number {
  let length = 0;
  while (length < variant.length && text[at + length]?.toLowerCase() === variant[length]) length++;
  return length === variant.length || length >= HEAD ? length : 0;
}

function hideEnd(text: string, variants: readonly string[]): string {
  const end = /(…|\.\.\.)?$/.exec(text)?.index ?? text.length;
  if (end === text.length && text.length < MAYBE_CUT) return text;
  const tail = text.slice(Math.max(0, end - HEAD), end).toLowerCase();
  for (let length = tail.length; length >= LEAST_AT_END; length--) {
    const part = tail.slice(-length);
    if (variants.some((variant) => variant.length > length && variant.startsWith(part)))
      return text.slice(0, end - length) + HIDDEN + text.slice(end);
  }
  return text;
}
