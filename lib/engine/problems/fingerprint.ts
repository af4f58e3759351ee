import { sha256 } from "../digest";
import { HEX, stepPattern, UUID } from "../steps/step-pattern";
import type { SerializedError } from "../values/serialized-error";

/**
 * How failures are grouped: by the error's name, code and message, and those of its causes, without what varies between
 * runs. A released rule never changes, because a problem's failures would then be split into two problems: add a better
 * one in front. A failure belongs to the problem that any of the rules matches, newest first.
 */
const RULES: readonly Rule[] = [{ rule: 1, patternOf: withoutVariables, stepOf: stepPattern }];

interface Rule {
  rule: number;
  patternOf(text: string): string;
  stepOf(name: string): string;
}

export interface Fingerprint {
  rule: number;
  /** The step's name without the variable parts of a loop; empty between steps. */
  step: string;
  fingerprint: string;
}

/** An error's fingerprints by every rule, newest first; `pattern` is its message by the newest. */
interface Fingerprints {
  pattern: string;
  fingerprints: Fingerprint[];
}

/** The first thousand characters are enough. Longer texts are clipped before their variables are searched. */
const LOOKED_AT = 4_000;
const COMPARED = 500;
/** Deeper causes are internals of libraries. */
const CAUSES = 3;

export function fingerprintsOf(error: SerializedError, step: string | null): Fingerprints {
  const fingerprints = RULES.map(({ rule, patternOf, stepOf }) => ({
    rule,
    step: stepOf(step ?? ""),
    fingerprint: fingerprintOf(error, patternOf),
  }));
  return { pattern: patternOf(error), fingerprints };
}

/** The message of an error without what varies between runs, by the newest rule. */
export const patternOf = ({ name, message }: SerializedError): string =>
  (RULES[0] as Rule).patternOf(said(name, message));

function fingerprintOf(error: SerializedError, patternOf: Rule["patternOf"]): string {
  const parts: string[] = [];
  let next: SerializedError | undefined = error;
  for (let depth = 0; next && depth <= CAUSES; depth++, next = next.cause)
    parts.push(next.name, next.code ?? "", alike(patternOf(said(next.name, next.message))));
  return sha256(JSON.stringify(parts)).slice(0, 32);
}

/** Treats an id of digits only like a number: that does not distinguish failures. */
const alike = (pattern: string): string => joinLists(pattern.replaceAll("<id>", "<n>"));

/** A thrown text that is not an Error is quoted in the message: nothing else identifies it. */
const said = (name: string, message: string): string =>
  name === "NotAnError" ? message.replace(/^A value that is not an Error was thrown: "(.*)"$/s, "$1") : message;

const DAYS = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const MONTHS = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const CLOCK = "\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?";
const ZONE = "(?:\\s?(?:Z\\b|UTC|GMT)?(?:[+-]\\d{2}:?\\d{2})?(?:\\s\\([A-Z][\\w ]{1,40}\\))?)";

/** In this order: quotes may contain anything, addresses colons, ids digits. None looks back beyond its match. */
const VARIABLES: readonly (readonly [RegExp, string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals begin with one.
  [/\u001b\[[0-9;]*[A-Za-z]/g, ""],
  [/"(?:[^"\\]|\\.)*"|`[^`]*`|“[^”]*”|‘[^’]*’|«[^»]*»|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gsu, "<value>"],
  [/\b[a-z][a-z0-9+.-]{0,19}:\/\/[^\s<>)\]}]+/gi, "<url>"],
  [/\{[^{}]*\}/g, "<value>"],
  [/\{[^{}]*\}/g, "<value>"],
  [/[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, "<email>"],
  [UUID, "<id>"],
  [new RegExp(`\\b\\d{4}-\\d{2}-\\d{2}(?:[T ]${CLOCK}${ZONE})?`, "g"), "<time>"],
  [new RegExp(`\\b${DAYS},? (?:\\d{1,2} ${MONTHS}|${MONTHS} \\d{1,2}) \\d{4}(?: ${CLOCK}${ZONE})?`, "g"), "<time>"],
  [/\[[0-9a-f:.]{2,45}\]:\d{1,5}/gi, "<address>"],
  [/(?<![\w:.])(?=[0-9a-f:.]{0,44}::|(?:[0-9a-f.]{0,15}:){4})[0-9a-f:.]{0,44}(?:[0-9a-f]|::)(?!\w)/gi, "<address>"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?:\/\d{1,2})?\b/g, "<address>"],
  [/\b[a-z](?:[a-z0-9.-]{0,252}[a-z0-9])?:\d{2,5}\b(?!:)/gi, "<address>"],
  [/\b(?:[a-z0-9-]{1,63}\.){2,8}[a-z]{2,24}\b/g, "<address>"],
  [/\b0x[0-9a-f]+\b/gi, "<id>"],
  [/\b[a-z]{1,10}_(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{1,64}\b/g, "<id>"],
  [HEX, "<id>"],
  [/\b(?:[A-Za-z]+\d+){2,}[A-Za-z]*\b|\b(?:\d+[A-Za-z]+){2,}\d*\b/g, "<id>"],
  [new RegExp(`\\b${CLOCK}\\b`, "g"), "<time>"],
];

const NUMBER = /(?<![A-Za-z])[+-]?\d+(?:[.,]\d+)*|\d{3,}/g;
/** After one of these words the number is significant: 404 is not 503. */
const STATUS_BEFORE =
  /(?:status(?:\s+code)?|code|http(?:\/\S{1,5})?|answered(?:\s+with)?|responded(?:\s+with)?|returned)[\s:=]{1,3}$/i;

function withoutVariables(text: string): string {
  let pattern = text.slice(0, LOOKED_AT);
  for (const [variable, placeholder] of VARIABLES) pattern = pattern.replace(variable, placeholder);
  const numbered = pattern.replace(NUMBER, (number, offset: number, whole: string) =>
    /^[1-5]\d\d$/.test(number) && STATUS_BEFORE.test(whole.slice(Math.max(0, offset - 30), offset)) ? number : "<n>",
  );
  return joinLists(numbered).replace(/\s+/g, " ").trim().slice(0, COMPARED);
}

/** Joins repeated variables, whether four or seventeen. */
const joinLists = (pattern: string): string =>
  pattern.replace(/(<(?:n|id|value|url|time|address|email)>)(?:\s*,\s*\1)+/g, "$1");
