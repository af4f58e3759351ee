import type { Env } from "../../lib/env";
import { StartError } from "../start-error";
import { consolePort, untilFree } from "./check-ports";
import type { Child } from "./child";
import { untilHealthy } from "./health";
import { type Kept, keepRunning } from "./keep-running";
import type { Begin } from "./launch";
import { say } from "./say";
import { setUpLink } from "./set-up-link";

/** Where a console is served. */
export interface Serving {
  env: Env;
  begin: Begin;
  stopping: AbortSignal;
  databaseUrl: string;
  /** Resolves when the embedded database is there; at once if the database is another. Early when the signal aborts. */
  untilDatabase: (stopping: AbortSignal) => Promise<void>;
}

export interface Console {
  start: () => Child;
  /** Begins what runs beside the console, and is stopped with it. */
  besides?: () => Kept;
  /** Before its address is announced. */
  prepare?: () => Promise<void>;
  /** What runs, for the sentence with its address. */
  parts: string;
  /** Says more after that sentence. Default: where the first admin signs in, if sign-in is on. */
  introduce?: () => void;
}

/** By what name this machine itself asks a console that listens on every address. */
const HERE: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Keeps the console running and says where it is. Ends only if it cannot be started. */
export async function serveConsole(serving: Serving, { start, besides, ...introduction }: Console): Promise<void> {
  const { env, begin, untilDatabase } = serving;
  let announced = false;
  const { console } = begin(() => {
    const console = keepRunning(start, {
      untilPossible: async (signal) => {
        await untilDatabase(signal);
        await untilFree("console", [consolePort(env)], signal);
      },
      // By itself, before it ever answered: it will not the next time either.
      isFinal: (how) => !announced && how.startsWith("exit code"),
    });
    const other = besides?.();
    return { console, stop: () => Promise.all([console.stop(), other?.stop()]) };
  });
  const ended = console.ended.then((how) => {
    throw new StartError(`The console could not start (${how}). What it said is above.`);
  });
  await Promise.race([ended, announce(serving, introduction)]);
  announced = true;
  await ended;
}

async function announce(
  { env, stopping, databaseUrl }: Serving,
  { parts, prepare, introduce }: Omit<Console, "start" | "besides">,
): Promise<void> {
  const here = HERE[env.host] ?? env.host;
  const local = `http://${here.includes(":") ? `[${here}]` : here}:${env.port}`;
  const address = env.origin ?? local;
  await prepare?.();
  await untilHealthy("console", `${local}/api/health/live`, stopping);
  if (stopping.aborted) return;
  say(`Handrail is running at ${address} — ${parts}. Ctrl-C stops it.`);
  if (introduce) introduce();
  else if (env.signIn) await saySetUp(databaseUrl, address);
}

async function saySetUp(databaseUrl: string, address: string): Promise<void> {
  const link = await setUpLink(databaseUrl, address);
  if (link) say(`Nobody can sign in yet. The first admin does at ${link} — once, within a day.`);
}
