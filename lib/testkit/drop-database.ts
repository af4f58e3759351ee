import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

/** Long enough for connections that are closing; those that are left open are cut. */
const GOODBYES_MS = 1_000;

/**
 * Drops a database together with the connections that are left to it.
 * `Pool.end()` answers before its sockets are closed: one that is cut then has no listener for the error, which ends its process.
 */
export async function dropDatabase(server: pg.Pool | pg.Client, name: string): Promise<void> {
  const deadline = Date.now() + GOODBYES_MS;
  while ((await isInUse(server, name)) && Date.now() < deadline) await delay(10);
  await server.query(`drop database if exists ${name} with (force)`);
}

async function isInUse(server: pg.Pool | pg.Client, name: string): Promise<boolean> {
  const { rows } = await server.query("select 1 from pg_stat_activity where datname = $1 limit 1", [name]);
  return rows.length > 0;
}
