import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { StartError } from "../start-error";
import { type Cluster, findOrCreateCluster, type Settings } from "./cluster";
import { movedTo, removeHome } from "./home";
import { lastWords, runningServer, startServer, stopServer, wakeServer } from "./server";

/**
 * A real PostgreSQL server in a folder, started when first needed and stopped by its last user.
 *
 * The server outlives the process that started it: after a kill -9 the next start finds it running and goes on with it.
 * The server itself knows its users: every user holds a connection with a shared advisory lock, which ends with the
 * process, however that ends. A user that releases its share and then gets the exclusive lock was the last.
 */
export type EmbeddedPostgres = {
  port: number;
  /** The address of a database on this server, password included. The database need not exist. */
  url: (database?: string) => string;
  /** Resolves when the server has ended, or has cut the connection that holds this user's share. */
  lost: Promise<void>;
  /** Whether it takes a new connection within five seconds. */
  answers: () => Promise<boolean>;
  /** Lets it go on if it was stopped (SIGSTOP). */
  wake: () => Promise<void>;
  /** Releases the server, and stops it if it has no other user. */
  stop: () => Promise<void>;
};

type Options = {
  dir: string;
  /** Default: the port of last time, or else any free one. A server that runs already keeps the port it has. */
  port?: number;
  /** Settings of the server, such as { fsync: "off" } in tests. They count when this call is the one that starts it. */
  settings?: Settings;
};

const USE_LOCK = 1_212_236_370; // any number, the same for all who share a server
/** A killed server's backends keep its memory for a second or two, and another starter may be slow. */
const START_TIMEOUT_MS = 30_000;
const RETRY_MS = 100;
const LOOKS = 20;

export async function startEmbeddedPostgres({ dir, port, settings = {} }: Options): Promise<EmbeddedPostgres> {
  const cluster = await findOrCreateCluster(path.resolve(dir), settings);
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const use = await takeShare(cluster);
    if (use) {
      return {
        port: use.port,
        url: (database) => address(cluster, use.port, database),
        lost: new Promise((resolve) => use.once("end", () => resolve())),
        answers: () => takesConnections(cluster),
        wake: () => wakeServer(cluster),
        stop: once(async () => {
          await wakeServer(cluster);
          await giveUp(cluster, use);
        }),
      };
    }
    if (await startServer(cluster, port, settings)) continue;
    if (Date.now() > deadline) {
      throw new StartError(
        `The embedded PostgreSQL in ${cluster.home} did not start. Its log ends:\n${await lastWords(cluster)}`,
      );
    }
    await sleep(RETRY_MS);
  }
}

/** Deletes the server with all its data. Refuses while another process uses it. */
export async function removeEmbeddedPostgres(dir: string): Promise<void> {
  const home = (await movedTo(dir)) ?? dir;
  if (existsSync(path.join(home, "cluster"))) {
    const cluster = await findOrCreateCluster(path.resolve(dir), {});
    // The process that used it may have been killed a moment ago, and the server has yet to notice.
    for (let looks = 0; (await takeAndGiveUp(cluster)) === "used" && looks < LOOKS; looks++) await sleep(RETRY_MS);
    const running = await runningServer(cluster);
    if (running) {
      throw new StartError(
        `The data in ${dir} are in use: another Handrail runs on them (its database is process ${running.pid}). ` +
          "Stop it first, or set HANDRAIL_DATA to another folder.",
      );
    }
  }
  await removeHome(dir);
}

/**
 * Stops a server that was left behind. One that is used goes on; whether it is shows after two seconds, since a user may have
 * been killed a moment ago, and a starter may have been killed before its server was there.
 */
export async function stopUnlessUsed(dir: string): Promise<void> {
  if (!existsSync(path.join((await movedTo(dir)) ?? dir, "cluster"))) return;
  const cluster = await findOrCreateCluster(path.resolve(dir), {});
  await wakeServer(cluster);
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (let looks = 0; looks < LOOKS && Date.now() < deadline; await sleep(RETRY_MS)) {
    const found = await takeAndGiveUp(cluster);
    if (found === "stopped") return;
    const starts = found === undefined && (await runningServer(cluster)) !== undefined;
    if (!starts) looks += 1; // one that starts takes no connections yet, and is worth the whole time
  }
}

/** Undefined if there is no server that takes a connection. */
async function takeAndGiveUp(cluster: Cluster): Promise<"stopped" | "used" | undefined> {
  const use = await takeShare(cluster);
  if (!use) return undefined;
  return (await giveUp(cluster, use)) ? "stopped" : "used";
}

async function takesConnections(cluster: Cluster): Promise<boolean> {
  const client = await connect(cluster);
  await client?.end();
  return client !== undefined;
}

/** Connects and takes a share; undefined if the server doesn't answer, or is being stopped by its last user. */
async function takeShare(cluster: Cluster): Promise<pg.Client | undefined> {
  const client = await connect(cluster);
  if (!client) return undefined;
  if (await lock(client, "pg_try_advisory_lock_shared")) return client;
  await client.end();
  return undefined;
}

/** Gives whether this was the last user, so that the server was stopped. */
async function giveUp(cluster: Cluster, use: pg.Client): Promise<boolean> {
  await use.query("select pg_advisory_unlock_shared($1)", [USE_LOCK]).catch(() => undefined); // ended with the connection
  const client = (await answers(use)) ? use : await connect(cluster);
  if (!client) return false;
  const wasLast = await lock(client, "pg_try_advisory_lock");
  if (wasLast) await stopServer(cluster);
  await client.end().catch(() => undefined);
  return wasLast;
}

async function connect(cluster: Cluster): Promise<pg.Client | undefined> {
  const running = await runningServer(cluster);
  if (!running) return undefined;
  const client = new pg.Client({
    connectionString: address(cluster, running.port, "postgres"),
    application_name: "handrail launcher",
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => undefined); // a lost connection shows at the next query
  // Whatever the reason, it isn't our server that answers there yet: the caller tries again.
  return client.connect().then(
    () => client,
    () => undefined,
  );
}

function address({ password }: Cluster, port: number, database = "handrail"): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

async function lock(
  client: pg.Client,
  attempt: "pg_try_advisory_lock" | "pg_try_advisory_lock_shared",
): Promise<boolean> {
  const { rows } = await client.query<{ granted: boolean }>(`select ${attempt}($1) as granted`, [USE_LOCK]);
  return rows[0]?.granted === true;
}

function answers(client: pg.Client): Promise<boolean> {
  return client.query("select 1").then(
    () => true,
    () => false,
  );
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}
