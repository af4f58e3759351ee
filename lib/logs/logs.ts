import { Writable } from "node:stream";
import type { LogLevel } from "../engine/runs/log";
import { take, takerHere } from "./captured";

/*
 * The app's own loggers, as destinations beside those that they have. A line that is logged in the body of a step is kept
 * with its run, if the workflow or the worker says `captureLogs`; any other line is ignored here.
 */

/** Longer lines are kept as text, cut: reading them as JSON would take too long. */
const LONGEST_JSON = 65_536;
const PINO_LEVELS: [least: number, level: LogLevel][] = [
  [50, "error"],
  [40, "warn"],
  [30, "info"],
];
/** What the run's row or the line has anyway. */
const OWN_FIELDS = new Set(["level", "time", "pid", "hostname", "msg"]);

/** A destination for `pino.multistream([{ stream: process.stdout }, { stream: pinoCapture() }])`. */
export const pinoCapture = (): { write(line: string): void } => ({
  write(line) {
    const taker = takerHere();
    if (!taker) return;
    const read = line.length > LONGEST_JSON ? {} : fieldsOf(line);
    const { level, msg } = read;
    const data = Object.fromEntries(Object.entries(read).filter(([field]) => !OWN_FIELDS.has(field)));
    const text = () => (typeof msg === "string" ? msg : line.slice(0, LONGEST_JSON).trimEnd());
    take(taker, text, () => (Object.keys(data).length > 0 ? data : undefined), pinoLevel(level));
  },
});

function fieldsOf(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function pinoLevel(level: unknown): LogLevel {
  const number =
    typeof level === "number" ? level : ({ debug: 20, trace: 10, warn: 40, error: 50, fatal: 60 }[String(level)] ?? 30);
  return PINO_LEVELS.find(([least]) => number >= least)?.[1] ?? "debug";
}

/** What `winstonCapture` needs of a logger of winston. */
interface WinstonLogger {
  write(...given: never[]): boolean;
  add(transport: never): unknown;
}

type Taken = Record<string | symbol, unknown>;
/** The body in which a line was logged: winston hands lines on later where a transport is slow. */
const TAKER = Symbol("handrail.taker");

/** Adds a transport to the logger, which keeps lines after the logger's own formats. Returns the logger. */
export function winstonCapture<Logger extends WinstonLogger>(logger: Logger): Logger {
  const write = logger.write.bind(logger) as (...given: unknown[]) => boolean;
  (logger as { write: unknown }).write = (info: Taken, ...more: unknown[]) => {
    const taker = takerHere();
    return write(taker ? Object.assign({}, info, { [TAKER]: taker }) : info, ...more);
  };
  const transport = new Writable({
    objectMode: true,
    write(info: Taken, _, done) {
      const taker = info[TAKER] as ReturnType<typeof takerHere>;
      const { level, message, ...data } = info;
      if (taker)
        take(
          taker,
          () => String(message),
          () => (Object.keys(data).length > 0 ? data : undefined),
          winstonLevel(info),
        );
      done();
    },
  });
  // By the number of arguments of its log, winston recognises a transport of today.
  logger.add(Object.assign(transport, { log: (_info: unknown, _done: unknown) => undefined }) as never);
  return logger;
}

/** As winston keeps it, without the colours of a format. */
function winstonLevel(info: Taken): LogLevel {
  const level = String(info[Symbol.for("level")] ?? info.level);
  if (/^(error|crit|alert|emerg|fatal)/.test(level)) return "error";
  if (level.startsWith("warn")) return "warn";
  return /^(verbose|debug|silly|trace)/.test(level) ? "debug" : "info";
}
