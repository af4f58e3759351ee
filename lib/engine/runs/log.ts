import { HandrailError } from "../errors";
import { encodeValue } from "../values/codec";

/** Where a line was logged: in the code between steps, a step's body, or a compensation. */
export const LOG_SOURCES = ["code", "body", "undo"] as const;
export type LogSource = (typeof LOG_SOURCES)[number];

/** From the least to the most important. A line without one is `info`. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What code logs in the bodies of steps by its own means, and is to be kept with the run. */
export interface CaptureLogs {
  /** What it writes by `console.log` and its siblings. Default false. */
  console?: boolean;
  /** The least level that is kept. Default `"info"`. */
  level?: LogLevel;
}

const LEAST_CAPTURED: LogLevel = "info";

export const isCaptured = ({ level: least = LEAST_CAPTURED }: CaptureLogs, level: LogLevel): boolean =>
  LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);

/** Of any given level: an unknown one is `info`. */
export const knownLevel = (level: unknown): LogLevel => LOG_LEVELS.find((one) => one === level) ?? "info";

/** In characters; a longer message is cut and ends in an ellipsis. */
export const MAX_MESSAGE_LENGTH = 2_000;
/** Of a line's data as JSON text, in bytes; larger data is omitted, and the line reports its size. */
const MAX_DATA_BYTES = 4_096;
/** Per claim, so that a loop that logs cannot fill the database; one last line reports that more were dropped. */
export const MAX_LINES_PER_CLAIM = 1_000;
/** Per run, approximately; later ones are dropped, and the log says so. */
export const MAX_LINES_PER_RUN = 10_000;

/** A message that Postgres can store, cut to the maximum length. */
export function logMessage(given: unknown, most = MAX_MESSAGE_LENGTH): string {
  const text = String(given).replaceAll("\0", "\u2400").toWellFormed();
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}\u2026`;
}

/** JSON text. Never throws: logging a failure must not cause another. */
export function logData(given: unknown): string | null {
  if (given === undefined) return null;
  try {
    const text = encodeValue(given, "data of a log line");
    const bytes = new TextEncoder().encode(text).length;
    return bytes <= MAX_DATA_BYTES ? text : JSON.stringify({ $type: "clipped", bytes });
  } catch (error) {
    return JSON.stringify({ notKept: logMessage((error as Error).message, 500) });
  }
}

export interface Progress {
  done: number;
  total: number;
  note: string | null;
}

const MAX_NOTE_LENGTH = 200;

/** @throws HandrailError `invalid_value` for numbers that a progress bar cannot show */
export function checkProgress(done: number, total: number, note?: string): Progress {
  if (!(Number.isFinite(done) && done >= 0 && Number.isFinite(total) && total > 0))
    throw new HandrailError(
      "invalid_value",
      `progress(${done}, ${total}) is invalid: pass the completed amount, from 0 on, and a total above 0.`,
    );
  return { done: Math.min(done, total), total, note: note === undefined ? null : logMessage(note, MAX_NOTE_LENGTH) };
}
