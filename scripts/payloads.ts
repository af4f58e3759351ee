/** `npm run payloads -- status` and `npm run payloads -- rotate`: with which keys payloads are sealed, and to the current one. */
import path from "node:path";
import pg from "pg";
import type { PayloadKeys } from "../lib/engine/privacy/payload-keys";
import { readEnv } from "../lib/env";
import { type Db, poolDb } from "../lib/store/db";
import { setPayloadKeys } from "../lib/store/payloads";
import { countByKey, rotate } from "../lib/store/privacy/payload-rotation";
import { setSchema } from "../lib/store/schema";
import { explainMissingTables } from "./not-migrated";
import { startEmbeddedPostgres } from "./postgres/embedded";
import { printError, StartError } from "./start-error";

const USAGE = `npm run payloads -- status   counts what is sealed with each key, and what stands in clear; changes nothing
npm run payloads -- rotate   seals everything with the first key of HANDRAIL_PAYLOAD_KEYS; safe beside workers, and to be
                             stopped and begun again at any time`;

async function main(): Promise<void> {
  const command = order();
  const env = readEnv();
  setSchema(env.schema);
  const keys = env.payloadKeys;
  setPayloadKeys(keys);
  const work = (db: Db) => (command === "status" ? status(db, keys) : rotateAll(db, keys));
  if (env.databaseUrl) return withDatabase(env.databaseUrl, work);
  const server = await startEmbeddedPostgres({ dir: path.join(env.dataDir, "postgres") });
  await withDatabase(server.url(), work).finally(server.stop);
}

function order(): "status" | "rotate" {
  const [command, ...rest] = process.argv.slice(2);
  if ((command !== "status" && command !== "rotate") || rest.length > 0) throw new StartError(USAGE);
  return command;
}

async function withDatabase(connectionString: string, work: (db: Db) => Promise<void>): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1, application_name: "handrail payloads" });
  await work(poolDb(pool))
    .catch(explainMissingTables)
    .finally(() => pool.end());
}

async function rotateAll(db: Db, keys: PayloadKeys | null): Promise<void> {
  if (!keys) throw new StartError("HANDRAIL_PAYLOAD_KEYS is not set: there is no key to seal with.");
  let changed = 0;
  await rotate(db, keys, (more) => {
    changed += more;
  });
  console.log(`Sealed with "${keys.current.id}": ${changed} values.`);
  await status(db, keys);
}

/** Exits with 1 while something is not sealed with the current key. */
async function status(db: Db, keys: PayloadKeys | null): Promise<void> {
  const counts = await countByKey(db);
  for (const [keyId, count] of counts) console.log(`${count} values ${standing(keyId, keys)}`);
  const left = [...counts.keys()].some((keyId) => keyId !== (keys?.current.id ?? null));
  console.log(left ? "Some are left." : "None are left.");
  process.exitCode = left ? 1 : 0;
}

function standing(keyId: string | null, keys: PayloadKeys | null): string {
  if (keyId === null) return "in clear";
  const here =
    keyId === keys?.current.id ? ", the current one" : keys?.byId.has(keyId) ? "" : ", which is not given here";
  return `under the key "${keyId}"${here}`;
}

main().catch((error) => {
  printError(error);
  process.exitCode = 2;
});
