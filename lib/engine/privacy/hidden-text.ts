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

/** A longer value is hidden from this many matching characters on: texts get cut, and a part reveals it. */
const HEAD = 24;
/** At the cut end of a text, the beginning of a value is hidden from this many characters on. */
const LEAST_AT_END = 6;
/** A text this long may have been cut without a mark. In a shorter one, the beginning of a value is taken for another value, such as an order id. */
const MAYBE_CUT = 200;
/** With more values than these, no text is shown. */
const MAX_SECRETS = 2_000;
/** Of a value of several lines, shorter ones are no values. */
const SHORTEST_LINE = 4;
/** Total length of searched texts. Beyond it, no text is shown: the limit is one of length, so it reveals nothing of the values. */
const MAX_CHARACTERS = 16_777_216;
/** Between two pauses: places in a text, and characters that are compared with values. */
const PART = { places: 4_096, steps: 100_000 };
const WHOLE = { places: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };
/** Characters that are compared for each one of a text. Beyond it, the rest of the text is hidden. */
const STEPS_A_CHARACTER = 64;

/**
 * Hides values as they are written, and as URLs, forms and JSON encode them; case-insensitive. Of a long value, also a prefix.
 * A value of digits alone does not match within a longer row of digits, except at the cut end of a text.
 *
 * Linear in the text, however many values there are. Values may overlap, so that one is looked for at each place, also within another.
 */
export function hiddenText(secrets: Iterable<string>): HiddenText {
  const distinct = new Set(secrets);
  if (distinct.size > MAX_SECRETS) return ALL_HIDDEN;
  const variants = new Set([...distinct].flatMap(variantsOf));
  variants.delete("");
  if (variants.size === 0) return NOTHING_HIDDEN;
  const values: Values = { texts: new ValueTrie(), numbers: new ValueTrie() };
  for (const variant of variants) (/^\d+$/.test(variant) ? values.numbers : values.texts).add(variant);
  let searched = 0;
  const search = (text: string): Search | null => {
    searched += text.length;
    return searched > MAX_CHARACTERS ? null : new Search(text, values);
  };
  return {
    hideIn: (text) => search(text)?.goOn(WHOLE) ?? ALL_HIDDEN.hideIn(text),
    *hideInParts(text) {
      const started = search(text);
      if (!started) return ALL_HIDDEN.hideIn(text);
      for (;;) {
        const shown = started.goOn(PART);
        if (shown !== null) return shown;
        yield;
      }
    },
  };
}

/** Written alike everywhere. */
const PLAIN = /^[A-Za-z0-9._-]*$/;
const ASCII = /^[\0-\x7f]*$/;

/** Each line of it, too, since summaries have one line. */
function variantsOf(secret: string): string[] {
  if (PLAIN.test(secret)) return [secret];
  const lines = secret.split(/[\r\n]+/).filter((line) => line.trim().length >= SHORTEST_LINE);
  const written = new Set([secret, secret.trim(), ...lines.map((line) => line.trim())]);
  return [...written].flatMap(spellingsOf);
}

/** A letter with an accent may be one character or two, and a capital more than one. */
function spellingsOf(text: string): string[] {
  if (ASCII.test(text)) return encodingsOf(text);
  const spelled = [text, text.normalize("NFC"), text.normalize("NFD")];
  return [...new Set(spelled.flatMap((one) => [one, one.toUpperCase()]))].flatMap(encodingsOf);
}

/** As JavaScript, Python and PHP write it in JSON. */
function inJson(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [json, ascii].flatMap((one) => [one, one.replaceAll("/", "\\/")]);
}

/** In addresses and forms. */
function inAddresses(text: string): string[] {
  if (!text.isWellFormed()) return [];
  const [component, address] = [encodeURIComponent(text), encodeURI(text)];
  const inForm = component.replace(/[!'()~]/g, percent).replaceAll("%20", "+");
  return [component, address, inForm, component.replace(/[!'()*]/g, percent), address.replaceAll("'", "%27")];
}

const inHtml = (text: string) => text.replace(/[&<>"']/g, (character) => HTML[character] as string);

const encodingsOf = (text: string): string[] => [text, ...inJson(text), inHtml(text), ...inAddresses(text)];

const percent = (character: string) => `%${character.charCodeAt(0).toString(16)}`;

const HTML: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

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
  private steps = 0;
  private readonly cutAt: number | null;

  constructor(
    private readonly text: string,
    private readonly values: Values,
  ) {
    this.cutAt = cutEnd(text);
  }

  /** Searches this much more. Returns the text to show when it is done, null before. */
  goOn(part: typeof PART): string | null {
    const { text, values, cutAt } = this;
    const lastStep = this.steps + part.steps;
    for (let left = part.places; this.at < text.length; this.at++, left--) {
      if (left === 0 || this.steps > lastStep) return null;
      const length = hiddenFrom(text, this.at, cutAt, values);
      this.steps += 1 + values.texts.depth + values.numbers.depth;
      const end = this.steps > STEPS_A_CHARACTER * (text.length + HEAD) ? text.length : this.at + length;
      if (end > this.at && end > this.hiddenTo) this.hide(end);
      if (end === text.length) break;
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
  const ofText = Math.max(texts.depth >= HEAD ? texts.depth : texts.whole, cutOff(text, texts, at, cutAt));
  numbers.walk(isDigit(text, at) ? text : "", at);
  if (numbers.depth === 0) return ofText;
  return Math.max(ofText, numberLength(text, at, numbers), cutOff(text, numbers, at, cutAt));
}

function numberLength(text: string, at: number, { depth, whole }: ValueTrie): number {
  if (isDigit(text, at - 1)) return 0;
  if (depth >= HEAD) return depth;
  return isDigit(text, at + whole) ? 0 : whole;
}

const isDigit = (text: string, at: number) => text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57;

const CUT = ["…", "..."];

/** Where the text was cut, as far as can be determined; null if it is whole. */
function cutEnd(text: string): number | null {
  const dots = CUT.find((mark) => text.endsWith(mark));
  if (dots) return text.length - dots.length;
  return text.length < MAYBE_CUT ? null : text.length;
}

/** The length of a value's prefix at the cut end of the text, or before dots that say that something was cut within it. */
function cutOff(text: string, { depth, goesOn }: ValueTrie, at: number, cutAt: number | null): number {
  if (depth < LEAST_AT_END || !goesOn) return 0;
  const length = (cutAt ?? 0) - at;
  if (length >= LEAST_AT_END && depth >= length) return length;
  return CUT.some((dots) => text.startsWith(dots, at + depth)) ? depth : 0;
}
