import { checkValue, FIELDS, type FieldName, NEGATABLE, PREFIXES } from "./fields";

/** One condition, such as `status:failed` or `-workflow:nightly`. */
export interface Term {
  field: FieldName;
  value: string;
  /** Runs of which it is true are left out. */
  not: boolean;
}

/** What a filter's text says. */
export interface Query {
  terms: Term[];
  /** Free text beside the terms: any title, id, key or value of a tag. */
  text: string;
}

/** An invalid term: as it was typed, and what to write instead. */
export interface Fault {
  written: string;
  says: string;
}

/** A word with its quoted parts, or a quoted text whose end is missing. */
const WORDS = /(?:"(?:[^"\\]|\\.)*(?:"|$)|[^\s"])+/g;

/**
 * Reads a filter. What names no field is text: a key may have a colon in it, too.
 * @param zone of times that name none. It is UTC in addresses, for these are sent to others; what one types is in one's own.
 */
export function parseFilter(written: string, zone = "UTC"): Query & { faults: Fault[] } {
  const terms: Term[] = [];
  const texts: string[] = [];
  const faults: Fault[] = [];
  for (const [word] of written.matchAll(WORDS)) {
    const term = readTerm(word, zone);
    if (term === null) texts.push(unquoted(word));
    else if ("says" in term) faults.push({ written: word, says: term.says });
    else terms.push(term);
  }
  return { terms, text: texts.filter(Boolean).join(" "), faults };
}

const TERM = /^(-?)((?:tag|took|input|output)\.[^\s:"]+|[a-z-]+):(.*)$/is;

/** Null for a word that names no field. */
export function readTerm(word: string, zone = "UTC"): Term | { says: string } | null {
  const [, minus, name = "", written = ""] = TERM.exec(word) ?? [];
  // "not:step" is what people say for "-did:step".
  const saysNot = name.toLowerCase() === "not" && minus === "";
  if (name.toLowerCase() === "not" && !saysNot) return { says: `Write did:${written} for runs that completed it.` };
  const field = saysNot ? "did" : fieldOf(name);
  if (field === null) return null;
  const not = minus === "-" || saysNot;
  if (not && !NEGATABLE.includes(field))
    return { says: `${field} cannot be negated. “-” is allowed before ${NEGATABLE.join(", ")}.` };
  const checked = checkValue(field, unquoted(written), zone);
  return "says" in checked ? checked : { field, value: checked.value, not };
}

function fieldOf(name: string): FieldName | null {
  const prefix = PREFIXES.find((one) => name.toLowerCase().startsWith(one) && name.length > one.length);
  if (prefix) return `${prefix}${name.slice(prefix.length)}`;
  return FIELDS.find((field) => field === name.toLowerCase()) ?? null;
}

const unquoted = (text: string) =>
  text.replaceAll(/"((?:[^"\\]|\\.)*)(?:"|$)/g, (_, inside: string) => inside.replaceAll(/\\(.)/gs, "$1"));

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

/** As the URL holds excluded terms: `field:value`, without quotes. */
export function readLeftOut(written: string): ReturnType<typeof readTerm> {
  const at = written.indexOf(":") + 1;
  return readTerm(`-${written.slice(0, at)}${quoted(written.slice(at))}`);
}

/** As it is read back. */
export const printTerm = ({ field, value, not }: Term): string =>
  `${not ? "-" : ""}${field}:${/^[^\s"]+$/.test(value) ? value : quoted(value)}`;

export function printFilter({ terms, text }: Query): string {
  const plain = parseFilter(text);
  const asIs = plain.text === text && plain.terms.length === 0 && plain.faults.length === 0;
  return [...terms.map(printTerm), ...(text === "" ? [] : [asIs ? text : quoted(text)])].join(" ");
}
