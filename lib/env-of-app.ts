import { existsSync } from "node:fs";
import path from "node:path";
import { HandrailError } from "./engine/errors";
import { type Env, readEnv } from "./env";
import { standby, standbyOf } from "./env-standby";

/** One database, as its statements reach it, and without the pooler that may be between. */
export interface Addresses {
  databaseUrl: string;
  directUrl: string;
}
type Given = Partial<Addresses>;

/** Of the console, or the app's own. A fleet is the console's: without HANDRAIL_SIGN_IN it would be refused here. */
const isNotOurs = (name: string) =>
  ["PORT", "HOST", "HANDRAIL_SIGN_IN", "HANDRAIL_DEMO", "HANDRAIL_FLEET_SECRET", "DATABASE_READ_URL"].includes(name) ||
  ["HANDRAIL_OIDC_", "HANDRAIL_CELL"].some((start) => name.startsWith(start));

/**
 * The environment of an app that has Handrail within it: the same variables as a worker's, without those of the console.
 * An address that is given replaces both addresses of the environment.
 * @throws EnvError with a sentence per variable
 */
export function readEnvOfApp(given: Given, source: NodeJS.ProcessEnv = process.env): Env {
  return readEnv(envOfApp(given, source));
}

/** The standby of the console beside an app; null also for a variable of that name which is the app's and no address. */
export function readStandbyOfConsole(source: NodeJS.ProcessEnv = process.env): Env["standby"] {
  const { data } = standby.safeParse(source);
  return data ? standbyOf(data) : null;
}

function envOfApp({ databaseUrl, directUrl }: Given, source: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env = { ...source };
  for (const name of Object.keys(env).filter(isNotOurs)) delete env[name];
  if (databaseUrl !== undefined)
    Object.assign(env, { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: directUrl ?? "" });
  return env;
}

/**
 * Begins what reads the environment of its process itself: until it first waits, it finds the environment that
 * `readEnvOfApp` reads. HOST and PORT are the app's, whose own code finds them as they are.
 */
export function beginAsApp<Begun>(given: Given, begin: () => Begun): Begun {
  const { env } = process;
  process.env = envOfApp(given, env);
  try {
    return begin();
  } finally {
    process.env = env;
  }
}

/** Sets the variables of the folder's `.env` that are not set yet. Without such a file, none. */
export function readEnvFile(folder: string): void {
  const file = path.join(folder, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}

/**
 * The database of this process, by its environment.
 * @throws HandrailError `unavailable` without one, and for an app that names another: what started this process has
 * migrated the database of its environment
 */
export function addressesOf(app: Given, { databaseUrl, directUrl = databaseUrl }: Env): Addresses {
  if (!databaseUrl || !directUrl)
    throw new HandrailError(
      "unavailable",
      "Handrail needs a database: set DATABASE_URL, or `databaseUrl` of createHandrail. `npm run dev` brings one.",
    );
  if (app.databaseUrl !== undefined && app.databaseUrl !== databaseUrl)
    throw new HandrailError(
      "unavailable",
      "`databaseUrl` of handrail.config.ts is not the database that this process was started on. Set DATABASE_URL to it, for all commands.",
    );
  return { databaseUrl, directUrl };
}
