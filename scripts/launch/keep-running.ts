import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "./child";
import { inWords, Pauses } from "./pauses";
import { say } from "./say";

export type Kept = {
  /** The end that no restart follows, in words: after `stop`, or one that `isFinal`. */
  ended: Promise<string>;
  stop: () => Promise<void>;
};

type Options = {
  /** Waits, before each restart, for what the program needs. Resolves early when the signal aborts. */
  untilPossible?: (stopping: AbortSignal) => Promise<void>;
  /** Whether no restart follows this end. Default: one always does. */
  isFinal?: (how: string) => boolean;
};

/** Ends that say why. */
const REASONS: Record<string, string> = {
  "exit code 75": "exit code 75: it lost its lease, and its runs with it",
};

/** Starts a child, and another one whenever it ends, until it is stopped. */
export function keepRunning(start: () => Child, { untilPossible, isFinal = () => false }: Options = {}): Kept {
  const stopping = new AbortController();
  const { signal } = stopping;
  let child = start();
  const loop = async (): Promise<string> => {
    const pauses = new Pauses();
    for (;;) {
      const startedAt = performance.now();
      const how = await child.ended;
      if (signal.aborted || isFinal(how)) return how;
      const pauseMs = pauses.next(performance.now() - startedAt);
      say(`The ${child.name} ended (${REASONS[how] ?? how}). Another one starts ${inWords(pauseMs)}.`);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      await untilPossible?.(signal);
      if (signal.aborted) return how;
      child = start();
    }
  };
  const ended = loop();
  return {
    ended,
    stop: async () => {
      stopping.abort();
      await child.stop();
      await ended;
    },
  };
}
