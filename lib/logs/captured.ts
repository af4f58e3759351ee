import { formatWithOptions } from "node:util";
import type { LogLevel } from "../engine/runs/log";

type Taker = (message: string, data?: unknown, level?: LogLevel) => void;

/*
 * Where lines go that a body logs by the app's own means. The body that runs here is known to the worker, which says so;
 * on globalThis, since a worker and the loggers of an app may be bundled separately.
 */
const shared = globalThis as { handrailLogTaker?: () => Taker | undefined; handrailConsole?: boolean };

/** @param takerHere what takes the lines of the body that runs here; undefined outside of bodies */
export function setTaker(takerHere: () => Taker | undefined): void {
  shared.handrailLogTaker = takerHere;
}

export const takerHere = (): Taker | undefined => shared.handrailLogTaker?.();

/** Of a taker: a logger must not fail for it. */
export function take(taker: Taker, message: () => string, data: () => unknown, level: LogLevel): void {
  try {
    taker(message(), data(), level);
  } catch {
    // A line that cannot be read as text is not kept.
  }
}

const METHODS = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;
/** Cuts what is printed before it is put together. */
const SHORT = { depth: 4, maxArrayLength: 50, maxStringLength: 2_000, breakLength: Number.POSITIVE_INFINITY };

/** From now on, what bodies write by `console` is taken, too. It is written as before. */
export function captureConsole(): void {
  if (shared.handrailConsole) return;
  shared.handrailConsole = true;
  for (const [method, level] of Object.entries(METHODS) as [keyof typeof METHODS, LogLevel][]) {
    const original = console[method];
    console[method] = (...given: unknown[]) => {
      original.apply(console, given);
      const taker = takerHere();
      const cut = (one: unknown) => (typeof one === "string" ? one.slice(0, SHORT.maxStringLength) : one);
      if (taker)
        take(
          taker,
          () => formatWithOptions(SHORT, ...given.map(cut)),
          () => undefined,
          level,
        );
    };
  }
}
