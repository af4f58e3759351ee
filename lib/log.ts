import pino, { type LevelWithSilent } from "pino";

/** Writes one line; fields come before the message, an error as `err`. */
export interface Write {
  (message: string): void;
  (fields: unknown, message?: string): void;
}

/** The levels of a log that Handrail writes: pino's own logger is one. */
export type Logger = Readonly<Record<"debug" | "info" | "warn" | "error" | "fatal", Write>>;

/** One JSON object a line on stderr. Written synchronously, so that a dying process's last lines are not lost. */
export function createLogger(name: string, level: LevelWithSilent = "info"): Logger {
  return pino({ name, level, serializers: { err: withoutRows } }, pino.destination({ fd: 2, sync: true }));
}

/** Fields of database errors that quote rows and parameters: personal data must not reach the log. */
const QUOTING = new Set(["detail", "where", "internalQuery", "parameters", "values", "meta"]);

export function withoutRows(error: Error): object {
  const serialized = pino.stdSerializers.err(error);
  return Object.fromEntries(Object.entries(serialized).filter(([field]) => !QUOTING.has(field)));
}
