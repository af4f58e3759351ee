import type { Parts } from "../parts";
import { ValueTrie } from "./value-trie";

/** Replaces a hidden value in a text. */
export const HIDDEN = "•••";

/** Hides values anywhere in texts. */
export interface HiddenText {
  hideIn(text: string): string;
  /** The same for a long text, in parts. */
  hideInParts(text: string): Parts<string>;
}

const atOnce = (hideIn: (text: string) => string): HiddenText => ({
  hideIn,
  *hideInParts(text) {
    yield;
    return hideIn(text);
  },
});

export const NOTHING_HIDDEN: HiddenText = atOnce((text) => text);

/** Used if not all values to hide are known: no text is shown. */
export const ALL_HIDDEN: HiddenText = atOnce((text) => (text === "" ? "" : HIDDEN));

/** This many characters of a longer value identify it: texts are cut, and a part of a value also reveals it. */
const HEAD = 24;
/** A cut text may end within a value; from this many of its first characters on, they are hidden there. */
const LEAST_AT_END = 6;
/** A text this long may have been cut without a mark. A shorter prefix of a value is a value, such as an order id. */
const MAYBE_CUT = 200;
/** With more values than these, no text is shown. */
const MAX_SECRETS = 2_000;
/** Total length of searched texts. Beyond it, none is shown: by length alone, so the values do not matter. */
const MAX_CHARACTERS = 16_777_216;
/** Places in a text between two pauses: at most 24 steps each, so 100,000 steps. */
const PLACES_IN_A_PART = 4_096;

/**
 * Hides values as they are written, and as URLs and JSON encode them; case-insensitive. Of a long value, also a prefix.
 * A number does not match within a longer one.
 *
 * Linear in the text, however many values there are: a failed walk ends after `HEAD` characters, and what a successful
 * one has passed is not walked again.
 */
export function hiddenText(secrets: Iterable<string>): HiddenText {
  const variants = new Set<string>();
  for (const secret of secrets) {
    for (const variant of variantsOf(secret)) if (variant !== "") variants.add(variant);
    if (variants.size > MAX_SECRETS) return ALL_HIDDEN;
  }
  if (variants.size === 0) return NOTHING_HIDDEN;
  const values: Values = { texts: new ValueTrie(), numbers: new ValueTrie() };
  for (const variant of variants) (/^\d+$/.test(variant) ? values.numbers : values.texts).add(variant);
  let searched = 0;
  const search = (text: string): Search | null => {
    searched += text.length;
    return searched > MAX_CHARACTERS ? null : new Search(text, values);
  };
  return {
    hideIn: (text) => search(text)?.goOn(text.length) ?? ALL_HIDDEN.hideIn(text),
    *hideInParts(text) {
      const started = search(text);
      if (!started) return ALL_HIDDEN.hideIn(text);
      for (;;) {
        const shown = started.goOn(PLACES_IN_A_PART);
        if (shown !== null) return shown;
        yield;
      }
    },
  };
}

function variantsOf(secret: string): string[] {
  const written = [secret, secret.trim()];
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...written, inJson, ...(secret.isWellFormed() ? [encodeURIComponent(secret)] : [])];
}

interface Values {
  texts: ValueTrie;
  numbers: ValueTrie;
}

/** The search of one text. */
class Search {
  private at = 0;
  private shown = "";
  private from = 0;
  private hiddenTo = -1;
  private readonly cutAt: number | null;

  constructor(
    private readonly text: string,
    private readonly values: Values,
  ) {
    this.cutAt = cutEnd(text);
  }

  /** Searches this many more places. Returns the text to show when it is done, null before. */
  goOn(places: number): string | null {
    const { text, values, cutAt } = this;
    for (let left = places; this.at < text.length; this.at++, left--) {
      if (left === 0) return null;
      const end = this.at + hiddenFrom(text, this.at, cutAt, values);
      if (end > this.at && end > this.hiddenTo) this.hide(end);
      // A value that begins further back in the hidden part was recognised there, or is hidden with it.
      this.at = Math.max(this.at, this.hiddenTo - HEAD);
    }
    return this.hiddenTo < 0 ? text : this.shown + text.slice(this.from);
  }

  private hide(end: number): void {
    if (this.at > this.hiddenTo) this.shown += this.text.slice(this.from, this.at) + HIDDEN;
    this.hiddenTo = end;
    this.from = end;
  }
}

/** How many characters to hide from this place on. */
function hiddenFrom(text: string, at: number, cutAt: number | null, { texts, numbers }: Values): number {
  texts.walk(text, at);
  const ofText = Math.max(texts.depth >= HEAD ? texts.depth : texts.whole, cutOff(texts, at, cutAt));
  if (!isDigit(text, at)) return ofText;
  numbers.walk(text, at);
  return Math.max(ofText, numberLength(text, at, numbers), cutOff(numbers, at, cutAt));
}

function numberLength(text: string, at: number, { depth, whole }: ValueTrie): number {
  if (isDigit(text, at - 1)) return 0;
  if (depth >= HEAD) return depth;
  return isDigit(text, at + whole) ? 0 : whole;
}

const isDigit = (text: string, at: number) => text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57;

/** Where the text was cut, as far as can be determined; null if it is whole. */
function cutEnd(text: string): number | null {
  const dots = ["…", "..."].find((mark) => text.endsWith(mark));
  if (dots) return text.length - dots.length;
  return text.length < MAYBE_CUT ? null : text.length;
}

/** The length of a value's prefix at the cut end of the text. */
function cutOff({ depth, goesOn }: ValueTrie, at: number, cutAt: number | null): number {
  const length = (cutAt ?? 0) - at;
  return length >= LEAST_AT_END && depth >= length && goesOn ? length : 0;
}
