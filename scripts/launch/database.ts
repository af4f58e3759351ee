import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../lib/store/migrations/apply";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../postgres/embedded";
import { guardPostgres } from "./guard";
import { inWords, Pauses } from "./pauses";
import { say } from "./say";

export type Database = {
  /** Its address, which stays the same; rejects if it cannot be started at all. */
  url: Promise<string>;
  /** Resolves when it runs, or early when the signal aborts. */
  untilThere: (waiting: AbortSignal) => Promise<void>;
  stop: () => Promise<void>;
};

const PROBE_EVERY_MS = 5_000;

/**
 * Starts the embedded database, and starts it again on the same port whenever it ends, until it is stopped.
 *
 * @param ending when it aborts, everything is about to stop: a database that hangs (SIGSTOP) is let go on, so that workers can
 *   record what their steps did
 */
export function keepDatabase(dir: string, ending: AbortSignal): Database {
  const stopping = new AbortController();
  const { signal } = stopping;
  guardPostgres(dir);
  const first = startEmbeddedPostgres({ dir });
  /** Undefined: it was stopped while it was not there. */
  let server: Promise<EmbeddedPostgres | undefined> = first;
  const wake = async () => {
    await aborted(ending);
    const current = await server.catch(() => undefined); // it could not be started: what awaits the address gets the reason
    await current?.wake();
  };
  void wake().catch((error) => say(messageOf(error)));
  const keep = async () => {
    const pauses = new Pauses();
    const stopped = aborted(signal);
    for (let current = await server; current && !signal.aborted; current = await server) {
      const startedAt = performance.now();
      void watchSilence(current, signal);
      await Promise.race([current.lost, stopped]);
      if (signal.aborted) return;
      say("The embedded database ended, or cut its connections.");
      server = startAgain({ dir, port: current.port, pauses, signal }, performance.now() - startedAt);
    }
  };
  const kept = keep().catch(() => undefined); // it could not be started: awaiting the address reports why
  return {
    url: first.then((started) => started.url()),
    untilThere: async (waiting) => void (await Promise.race([server, aborted(waiting)])),
    stop: async () => {
      stopping.abort();
      await kept;
      await (await server.catch(() => undefined))?.stop();
    },
  };
}

type Restart = { dir: string; port: number; pauses: Pauses; signal: AbortSignal };

async function startAgain(restart: Restart, livedMs: number): Promise<EmbeddedPostgres | undefined> {
  const { dir, port, pauses, signal } = restart;
  const pauseMs = pauses.next(livedMs);
  say(`The embedded database starts again ${inWords(pauseMs)}.`);
  await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) return undefined;
  try {
    const server = await startEmbeddedPostgres({ dir, port });
    say("The embedded database runs again.");
    return server;
  } catch (error) {
    say(messageOf(error));
    return startAgain(restart, 0);
  }
}

/** Only reports it: a restart helps neither a process that was stopped (SIGSTOP) nor one that waits for its disk. */
async function watchSilence(server: EmbeddedPostgres, signal: AbortSignal): Promise<void> {
  let over = false;
  void server.lost.then(() => {
    over = true;
  });
  for (let silent = false; ; ) {
    await sleep(PROBE_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    if (over || signal.aborted) return;
    const answers = await server.answers();
    if (over || signal.aborted) return;
    if (answers === silent) {
      silent = !answers;
      say(
        silent
          ? "The embedded database takes no new connections, and its process lives: it may be stopped (SIGSTOP) or wait for its disk. It is not restarted."
          : "The embedded database takes connections again.",
      );
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
