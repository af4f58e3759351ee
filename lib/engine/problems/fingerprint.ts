import { sha256 } from "../digest";
import type { SerializedError } from "../values/serialized-error";

/**
 * How alike failures are told: by the error's name, code and message, and those of its causes, without what differs from run to
 * run. A rule never changes once it has been released, for a problem's failures would be counted as two problems from then on: a
 * better one is added in front. A failure belongs to the problem that any of the rules knows, asked newest first.
 */
const RULES: readonly Rule[] = [{ rule: 1, patternOf: withoutVariables, stepOf: stepPattern }];

interface Rule {
  rule: number;
  patternOf(text: string): string;
  stepOf(name: string): string;
}

export interface Fingerprint {
  rule: number;
  /** The step's name without what a loop makes it from; empty between steps. */
  step: string;
  fingerprint: string;
}

/** Of an error, by every rule, newest first; `pattern` is its message as the newest has it. */
interface Likeness {
  pattern: string;
  fingerprints: Fingerprint[];
}

/** What is told in a thousand characters is told. Longer texts are clipped before their variables are looked for. */
const LOOKED_AT = 4_000;
const COMPARED = 500;
/** A cause below that is the library's own business. */
const CAUSES = 3;

export function likenessOf(error: SerializedError, step: string | null): Likeness {
  const fingerprints = RULES.map(({ rule, patternOf, stepOf }) => ({
    rule,
    step: stepOf(step ?? ""),
    fingerprint: fingerprintOf(error, patternOf),
  }));
  return { pattern: patternOf(error), fingerprints };
}

/** The message of an error without what differs from run to run, by the newest rule. */
export const patternOf = ({ name, message }: SerializedError): string =>
  (RULES[0] as Rule).patternOf(said(name, message));

function fingerprintOf(error: SerializedError, patternOf: Rule["patternOf"]): string {
  const parts: string[] = [];
  let next: SerializedError | undefined = error;
  for (let depth = 0; next && depth <= CAUSES; depth++, next = next.cause)
    parts.push(next.name, next.code ?? "", alike(patternOf(said(next.name, next.message))));
  return sha256(JSON.stringify(parts)).slice(0, 32);
}

/** An id that happens to be all digits is told as a number: by that, no failure is another one. */
const alike = (pattern: string): string => joinLists(pattern.replaceAll("<id>", "<n>"));

/** A text that was thrown instead of an error stands quoted in the message: it is all there is to tell by. */
const said = (name: string, message: string): string =>
  name === "NotAnError" ? message.replace(/^A value that is not an Error was thrown: "(.*)"$/s, "$1") : message;

/**
 * `send-3` and `send-4` of a loop are one step here, and so are `charge:A-17` and `charge:B-4`, for what follows a colon and has
 * digits is data; `charge-v2` and `step2` are steps of their own.
 */
export function stepPattern(name: string): string {
  return name
    .replace(UUID, "<id>")
    .replace(/(?<=[:#/[(])[^\s:#/[\](){}]*\d[^\s:#/[\](){}]*/g, "<id>")
    .replace(HEX, "<id>")
    .replace(/(?<=^|[-_.\s])\d+(?![\p{L}\p{N}])/gu, "<n>");
}

/** With digits and letters; of letters alone only what is longer than words are. */
const HEX = /\b(?:(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{6,}|[a-f]{8,})\b/gi;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

const DAYS = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const MONTHS = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const CLOCK = "\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?";
const ZONE = "(?:\\s?(?:Z\\b|UTC|GMT)?(?:[+-]\\d{2}:?\\d{2})?(?:\\s\\([A-Z][\\w ]{1,40}\\))?)";

/** In this order: what is quoted may hold anything, addresses hold times' colons, ids hold digits. None of them looks back over more than it took. */
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
/** Before a status the number is what happened: 404 is not 503. */
const STATUS_BEFORE =
  /(?:status(?:\s+code)?|code|http(?:\/\S{1,5})?|answered(?:\s+with)?|responded(?:\s+with)?|returned)[\s:=]{1,3}$/i;

function withoutVariables(text: string): string {
  let pattern = text.slice(0, LOOKED_AT);
  for (const [variable, placeholder] of VARIABLES) pattern = pattern.replace(variable, placeholder);
  const told = pattern.replace(NUMBER, (number, offset: number, whole: string) =>
    /^[1-5]\d\d$/.test(number) && STATUS_BEFORE.test(whole.slice(Math.max(0, offset - 30), offset)) ? number : "<n>",
  );
  return joinLists(told).replace(/\s+/g, " ").trim().slice(0, COMPARED);
}

/** Of four or of seventeen of a kind. */
const joinLists = (pattern: string): string =>
  pattern.replace(/(<(?:n|id|value|url|time|address|email)>)(?:\s*,\s*\1)+/g, "$1");
