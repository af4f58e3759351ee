import pino, { type LevelWithSilent, type Logger } from "pino";

export type { Logger };

/** One JSON object a line on stderr. Written synchronously, so that the last words of a dying process arrive. */
export function createLogger(name: string, level: LevelWithSilent = "info"): Logger {
  return pino({ name, level, serializers: { err: withoutRows } }, pino.destination({ fd: 2, sync: true }));
}

/** Fields of a database's error that quote rows and parameters: people's data belongs into no log. */
const QUOTING = new Set(["detail", "where", "internalQuery", "parameters", "values", "meta"]);

export function withoutRows(error: Error): object {
  const told = pino.stdSerializers.err(error);
  return Object.fromEntries(Object.entries(told).filter(([field]) => !QUOTING.has(field)));
}
