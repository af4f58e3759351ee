import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { HandrailError } from "../../engine/errors";
import { inSchema } from "../schema";
import { codeOf, messageOf } from "./apply";

const OLDEST_SERVER = 15;
const NO_DATABASE = "3D000";
/** Another starter made it just now. */
const THERE_ALREADY = ["42P04", "23505"];

/** Another starter's migration may take a while, but a forgotten one must not hang us silently. */
const OTHERS_MS = 60_000;
const LOOK_AGAIN_MS = 100;

/** A session of the database itself, which is created where it does not exist. @throws HandrailError `unavailable` */
export async function connectOrCreate(databaseUrl: string): Promise<pg.Client> {
  const there = await connectIfThere(databaseUrl);
  if (there) return there;
  await createDatabase(databaseUrl);
  return connect(databaseUrl);
}

/** Undefined: the server has no such database. @throws HandrailError `unavailable` */
export async function connectIfThere(databaseUrl: string): Promise<pg.Client | undefined> {
  try {
    return await connect(databaseUrl);
  } catch (error) {
    if (codeOf(error) === NO_DATABASE) return undefined;
    throw new HandrailError("unavailable", unreachable(databaseUrl, error), {}, { cause: error });
  }
}

/** Its statements say `handrail`, however the schema is named. */
async function connect(databaseUrl: string): Promise<pg.Client> {
  const db = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    application_name: "handrail migrate",
  });
  db.on("error", () => undefined); // a lost connection shows at the next query
  await db.connect();
  const send = db.query.bind(db) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>;
  db.query = ((text: string, values?: unknown[]) => send(inSchema(text), values)) as typeof db.query;
  return db;
}

async function createDatabase(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = "/postgres";
  const server = await connect(url.href);
  try {
    await server.query(`create database ${pg.escapeIdentifier(name)}`);
  } catch (error) {
    if (!THERE_ALREADY.includes(codeOf(error) ?? "")) {
      const message = `The database "${name}" does not exist and could not be created (${messageOf(error)}). Create it, or let DATABASE_URL name one that exists.`;
      throw new HandrailError("unavailable", message, {}, { cause: error });
    }
  } finally {
    await server.end();
  }
}

/** @throws HandrailError `unavailable` where the server is too old */
export async function checkServer(db: pg.Client): Promise<void> {
  const { rows } = await db.query<{ server_version: string }>("show server_version");
  const version = rows[0]?.server_version ?? "";
  if (Number.parseInt(version, 10) >= OLDEST_SERVER) return;
  throw new HandrailError(
    "unavailable",
    `Handrail needs PostgreSQL ${OLDEST_SERVER} or newer, and the server that DATABASE_URL names is ${version}. Upgrade it, or name another.`,
  );
}

/**
 * Until the end of the session. Polls: waiting in one statement would keep `create index concurrently` waiting for that
 * statement.
 * @param key SQL of a bigint
 * @throws HandrailError `unavailable` after a minute
 */
export async function takeLock(db: pg.Client, key: string): Promise<void> {
  const deadline = performance.now() + OTHERS_MS;
  for (;;) {
    const { rows } = await db.query(`select pg_try_advisory_lock(${key}) as taken`);
    if (rows[0].taken) return;
    if (performance.now() > deadline)
      throw new HandrailError(
        "unavailable",
        `Another process has been migrating this database for ${OTHERS_MS / 1_000} s. Wait until it is done, then start again; if it hangs, end it.`,
      );
    await delay(LOOK_AGAIN_MS);
  }
}

function unreachable(databaseUrl: string, error: unknown): string {
  const { host } = new URL(databaseUrl);
  return `The database at ${host} can't be used: ${messageOf(error)}. Check DATABASE_URL, and that the server runs.`;
}
