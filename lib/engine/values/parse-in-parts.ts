import type { Parts } from "../parts";
import { setField } from "../set-field";

/** Characters that are parsed at a time. */
const PART = 16_384;
/** Characters that are scanned between two pauses: white space can go on for megabytes. */
const SCANNED = 65_536;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

export interface JsonBounds {
  /** Nesting of lists and objects. */
  depth: number;
  /** Opening brackets, commas and colons outside of strings: a measure of a value's cost. */
  marks: number;
  /** Distinct keys of all objects: each costs more than any number of equal ones. */
  keys: number;
  /** Characters of one string. */
  textLength: number;
}

/** The text exceeds a bound. */
export class JsonBoundExceeded extends Error {
  constructor(readonly bound: keyof JsonBounds) {
    super(`The JSON exceeds the bound of its ${bound}.`);
  }
}

/** An unfinished list or object. Its content is parsed by `JSON.parse`, many items at a time. */
interface Open {
  isList: boolean;
  opensAt: number;
  /** The parsed items; null before the first. */
  value: unknown[] | Record<string, unknown> | null;
  /** Where the unparsed text begins. */
  from: number;
  /** The last item was added already parsed: a comma or the end follows. */
  added: boolean;
  /** The last string before a colon: in an object, the key. */
  key: Range;
}

interface Range {
  from: number;
  to: number;
}

/**
 * `JSON.parse` in parts, with the same results and refusals.
 * @param part characters of a part; tests choose it
 * @throws SyntaxError for text that is not JSON, JsonBoundExceeded
 */
export function parseInParts(text: string, bounds: JsonBounds, part = PART): Parts<unknown> {
  return new PartsOfJson(text, bounds, part).parse();
}

const NO_BOUNDS: JsonBounds = { depth: Infinity, marks: Infinity, keys: Infinity, textLength: Infinity };

/** The same for text of our own, such as a stored value, which may be short. */
export function* parseOwnInParts(text: string): Parts<unknown> {
  return text.length < PART ? JSON.parse(text) : yield* parseInParts(text, NO_BOUNDS);
}

class PartsOfJson {
  private readonly open: Open[] = [];
  private marks = 0;
  private readonly keys = new Set<string>();
  /** The last string passed, with its quotes. */
  private passed: Range = { from: 0, to: 0 };
  /** Long sequences of blanks, each without its first one. */
  private readonly skipped: Range[] = [];
  /** The outermost list or object, if it was parsed in parts. */
  private root: (Range & { value: unknown }) | null = null;

  constructor(
    private readonly text: string,
    private readonly bounds: JsonBounds,
    private readonly part: number,
  ) {}

  *parse(): Parts<unknown> {
    const { text } = this;
    for (let at = 0, pauseAt = SCANNED; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      let parsed = false;
      if (unit === QUOTE) at = this.passText(at);
      else if (isBlank(unit)) at = this.passBlank(at);
      else if (unit === OPEN_LIST || unit === OPEN_OBJECT) this.begin(unit === OPEN_LIST, at);
      else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) parsed = this.end(unit === CLOSE_LIST, at);
      else if (unit === COMMA) parsed = this.passComma(at);
      else if (unit === COLON) this.passColon();
      if (!parsed && at < pauseAt) continue;
      yield;
      pauseAt = at + SCANNED;
    }
    if (this.open.length > 0) refuse();
    if (!this.root) return JSON.parse(this.slice(0, text.length));
    this.demandBlank(0, this.root.from);
    this.demandBlank(this.root.to, text.length);
    return this.root.value;
  }

  /** Returns the index of the closing quote. */
  private passText(at: number): number {
    const { text, bounds } = this;
    let end = text.indexOf('"', at + 1);
    // One search for each quote would take long where there are many.
    if (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) end = endOfText(text, at + 1, at + bounds.textLength);
    if (end < 0) refuse();
    if (end - at > bounds.textLength) throw new JsonBoundExceeded("textLength");
    this.passed = { from: at, to: end + 1 };
    return end;
  }

  /** Returns the index of the last one of these blanks, or of as many as are passed between two pauses. */
  private passBlank(at: number): number {
    const { text } = this;
    const most = Math.min(text.length, at + SCANNED);
    let to = at + 1;
    while (to < most && isBlank(text.charCodeAt(to))) to++;
    // The first one stays: it separates.
    if (to - at > this.part) this.skipped.push({ from: at + 1, to });
    return to - 1;
  }

  /** The text without the blanks that were skipped: they may be megabytes. */
  private slice(from: number, to: number): string {
    let text = "";
    let at = from;
    for (const skipped of this.skipped) {
      if (skipped.from < at || skipped.to > to) continue;
      text += this.text.slice(at, skipped.from);
      at = skipped.to;
    }
    return text + this.text.slice(at, to);
  }

  private countMark(): void {
    if (++this.marks > this.bounds.marks) throw new JsonBoundExceeded("marks");
  }

  private begin(isList: boolean, opensAt: number): void {
    this.countMark();
    if (this.open.length >= this.bounds.depth) throw new JsonBoundExceeded("depth");
    this.open.push({ isList, opensAt, value: null, from: opensAt + 1, added: false, key: this.passed });
  }

  private passColon(): void {
    this.countMark();
    this.innermost().key = this.passed;
    this.keys.add(this.text.slice(this.passed.from, this.passed.to));
    if (this.keys.size > this.bounds.keys) throw new JsonBoundExceeded("keys");
  }

  /** Returns whether something was parsed. */
  private passComma(at: number): boolean {
    this.countMark();
    const within = this.innermost();
    if (within.added) this.demandBlank(within.from, at);
    else if (at - within.from < this.part) return false;
    else this.parseItems(within, at);
    within.from = at + 1;
    within.added = false;
    return true;
  }

  /** A short list or object stays text in its parent. Returns whether something was parsed. */
  private end(isList: boolean, at: number): boolean {
    const ended = this.innermost();
    this.open.pop();
    if (ended.isList !== isList) refuse();
    if (ended.value === null && at - ended.opensAt < this.part) return false;
    if (ended.added) this.demandBlank(ended.from, at);
    else this.parseItems(ended, at);
    const within = this.open.at(-1);
    if (within) this.add(within, ended, at + 1);
    else if (this.root) refuse();
    else this.root = { value: ended.value, from: ended.opensAt, to: at + 1 };
    return true;
  }

  /** Parses from the last comma, or the beginning, to this index. */
  private parseItems(within: Open, to: number): void {
    const isFirst = within.value === null;
    const items = this.slice(within.from, to);
    // Only an empty list or object has nothing there.
    if (!NOT_BLANK.test(items) && !(isFirst && CLOSING.has(this.text.charCodeAt(to)))) refuse();
    append(within, items);
  }

  /** Adds a value that was parsed in parts to its parent. */
  private add(within: Open, { value, opensAt }: Open, to: number): void {
    if (within.added) refuse();
    // With an empty list in its place, so that a missing comma or colon is detected.
    append(within, `${this.slice(within.from, opensAt)}[]`);
    if (Array.isArray(within.value)) within.value[within.value.length - 1] = value;
    else setField(within.value as Fields, JSON.parse(this.text.slice(within.key.from, within.key.to)), value);
    within.from = to;
    within.added = true;
  }

  private innermost(): Open {
    return this.open.at(-1) ?? refuse();
  }

  private demandBlank(from: number, to: number): void {
    if (NOT_BLANK.test(this.slice(from, to))) refuse();
  }
}

type Fields = Record<string, unknown>;

const CLOSING = new Set([CLOSE_LIST, CLOSE_OBJECT]);
const NOT_BLANK = /[^ \t\n\r]/;
const isBlank = (unit: number) => unit === 32 || (unit >= 9 && unit <= 13 && unit !== 11 && unit !== 12);

/**
 * The index of the quote that ends the text which begins here; -1 if there is none. Behind `bound` any quote will do.
 */
function endOfText(text: string, from: number, bound: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE || at > bound) return text.indexOf('"', at);
    if (unit === BACKSLASH) at++;
  }
  return -1;
}

function refuse(): never {
  throw new SyntaxError("The text is not JSON.");
}

function append(within: Open, items: string): void {
  within.value ??= within.isList ? [] : {};
  const { value } = within;
  if (Array.isArray(value)) for (const item of JSON.parse(`[${items}]`)) value.push(item);
  else for (const [key, item] of Object.entries(JSON.parse(`{${items}}`))) setField(value, key, item);
}
