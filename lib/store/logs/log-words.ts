import { LOG_LEVELS, type LogLevel } from "../../engine/runs/log";

/** Lines of one block have ids that differ in these low bits only. */
export const BLOCK_BITS = 9;
export const LINES_PER_BLOCK = 2 ** BLOCK_BITS;

/*
 * What separates words is listed rather than left to a locale, so that every process finds the same ones. A change of this
 * list needs a migration that has all blocks written again.
 */
const SEPARATORS =
  /[\p{Cc} -/:-@[-`{-~\xa0\xa1\xa7\xab\xb7\xbb\xbf\u2010-\u2027\u2030-\u205e\u3000-\u3003\uff0c\uff1a]+/gu;
/** Line breaks and tabs of texts within JSON: the letter after the backslash is no part of the next word. */
const ESCAPES = /\\[nrt]/g;

/** The words of a line, or of what is searched: in lower case, each with one space before and after it. */
export const wordsIn = (...texts: (string | null)[]): string => {
  const text = texts.map((one) => one ?? "").join(" ");
  return ` ${text.replace(ESCAPES, " ").toLowerCase().replace(SEPARATORS, " ").trim()} `;
};

/** Longer words are indexed by their beginning. */
const MAX_WORD = 64;
/** Shorter beginnings of words have too many ends to be looked up. */
const LEAST_BEGINNING = 3;

/** What an entry of a block is, by its first letter. */
const ENTRY = {
  word: "t",
  /** A word of a workflow that masks something: searched only for callers who may see masked values. */
  maskedWord: "m",
  workflow: "w",
  step: "s",
  level: "l",
} as const;
/** Steps may be named by data. */
const MAX_STEP_ENTRY = 200;
const cut = (text: string, most: number) => (text.length <= most ? text : [...text].slice(0, most).join(""));

/** A line as a block has it. */
export interface IndexedLine {
  workflow: string | null;
  level: LogLevel;
  step: string | null;
  message: string;
  data: string | null;
  traceId: string | null;
  /** Its workflow masks something. */
  masks: boolean;
}

/** Adds what the line can be found by. Returns about how many bytes its words have. */
export function addEntries(entries: Set<string>, line: IndexedLine): number {
  const { workflow, level, step, message, data, traceId, masks } = line;
  const lane = masks ? ENTRY.maskedWord : ENTRY.word;
  const words = wordsIn(message, data, step, traceId);
  for (const word of words.split(" ")) if (word !== "") entries.add(lane + cut(word, MAX_WORD));
  if (workflow !== null) entries.add(ENTRY.workflow + workflow);
  if (step !== null) entries.add(ENTRY.step + cut(step, MAX_STEP_ENTRY));
  entries.add(ENTRY.level + level);
  return Buffer.byteLength(words);
}

export interface BlockFilter {
  /** Words as of `wordsIn`: all of a line; the last word of each may go on. */
  terms: readonly string[];
  level?: LogLevel | undefined;
  workflow?: readonly string[] | undefined;
  step?: string | undefined;
  blind: boolean;
}

/** The text of a tsquery that every block with a matching line matches; null: it would match all of them. */
export function blockQuery({ terms, level, workflow = [], step, blind }: BlockFilter): string | null {
  const lanes = blind ? [ENTRY.word] : [ENTRY.word, ENTRY.maskedWord];
  const conditions = [
    ...new Set(terms.flatMap((term) => wordConditions(term, lanes))),
    ...(level === undefined || level === "debug"
      ? []
      : [anyOf(levelsFrom(level).map((one) => quoted(ENTRY.level + one)))]),
    ...(workflow.length === 0 ? [] : [anyOf(workflow.map((name) => quoted(ENTRY.workflow + name)))]),
    ...(step === undefined ? [] : [quoted(ENTRY.step + cut(step, MAX_STEP_ENTRY))]),
  ];
  return conditions.length === 0 ? null : conditions.join(" & ");
}

/** The level and those above it. */
export const levelsFrom = (level: LogLevel): LogLevel[] => LOG_LEVELS.slice(LOG_LEVELS.indexOf(level));

function wordConditions(term: string, lanes: readonly string[]): string[] {
  const words = term.split(" ");
  return words.flatMap((word, place) => {
    const mayGoOn = place === words.length - 1;
    if (mayGoOn && [...word].length < LEAST_BEGINNING) return [];
    return [anyOf(lanes.map((lane) => `${quoted(lane + cut(word, MAX_WORD))}${mayGoOn ? ":*" : ""}`))];
  });
}

const anyOf = (alternatives: readonly string[]) => `(${alternatives.join(" | ")})`;
const quoted = (text: string) => `'${text.replace(/['\\]/g, "$&$&")}'`;

/**
 * The words that the database compares as this code does, in any locale: a line without one of them does not match. To be
 * used as regular expressions, which need no escapes.
 */
export const probesOf = (terms: readonly string[]): string[] => [
  ...new Set(terms.flatMap((term) => term.split(" ")).filter((word) => /^[a-z0-9]+$/.test(word))),
];
