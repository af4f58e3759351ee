import pino, { type LevelWithSilent, type Logger } from "pino";

export type { Logger };

/** One JSON object a line on stderr. Written synchronously, so that the last words of a dying process arrive. */
export function createLogger(name: string, level: LevelWithSilent = "info"): Logger {
  return pino({ name, level }, pino.destination({ fd: 2, sync: true }));
}
