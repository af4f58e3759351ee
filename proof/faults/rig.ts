import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Sandbox, startSandbox } from "../../demo/sandbox/server";
import { migrate } from "../../lib/store/migrations/migrate";
import type { TestDatabase } from "../../lib/testing/database/database";
import { callWitness } from "../../lib/testing/database/witness";
import type { Settings } from "../../scripts/postgres/cluster";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { migrateDemo } from "../../scripts/postgres/migrate-demo";
import { type BodyLedger, openBodyLedger } from "./body-ledger";
import { watchPauses } from "./pauses";

const TEMPLATE = "faults_template";
/** A killed process is not a power cut: what Postgres has written stays written without fsync. */
export const SETTINGS = { fsync: "off", full_page_writes: "off", max_connections: "300" };

/** A server and a migrated database on it without connections. */
export interface Postgres {
  url: string;
  template: string;
}

/** Shared by all trials: a server, and a sandbox. */
export interface Rig {
  server: Postgres;
  sandbox: Sandbox;
  ledger: BodyLedger;
  /** A folder for servers and files of single trials. */
  scratch: string;
  /** A fresh, migrated database that the witness watches. */
  database(): Promise<TestDatabase>;
  close(): Promise<void>;
}

/** Without `postgres`, on a separate server. */
export async function openRig(postgres?: Postgres): Promise<Rig> {
  const scratch = await mkdtemp(join(tmpdir(), "handrail-faults-"));
  await chmod(scratch, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  const own = postgres ? undefined : await startServer(join(scratch, "postgres"));
  const server = postgres ?? (own as OwnServer);
  const sandbox = await startSandbox({ port: 0, smtpPort: 0, directory: join(scratch, "sandbox") });
  const ledger = await openBodyLedger();
  // The workflows' clients look here, in this process and in the children.
  process.env.HANDRAIL_FAULT_LEDGER = ledger.url;
  process.env.HANDRAIL_FAULT_BLOBS = join(scratch, "blobs");
  process.env.HANDRAIL_SANDBOX_URL = sandbox.url;
  process.env.HANDRAIL_SMTP_PORT = String(sandbox.smtpPort);
  return {
    server,
    sandbox,
    ledger,
    scratch,
    database: () => createDatabase(server),
    async close() {
      await sandbox.stop();
      await ledger.stop();
      await own?.remove();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

export interface OwnServer extends Postgres {
  remove(): Promise<void>;
}

/** About three seconds. */
export async function startServer(dir: string, settings: Settings = {}): Promise<OwnServer> {
  const embedded = await startEmbeddedPostgres({ dir, settings: { ...SETTINGS, ...settings } });
  await migrate(embedded.url(TEMPLATE));
  await migrateDemo(embedded.url(TEMPLATE));
  return {
    url: embedded.url("postgres"),
    template: TEMPLATE,
    async remove() {
      await embedded.stop();
      await removeEmbeddedPostgres(dir);
    },
  };
}

export async function createDatabase({ url, template }: Postgres, options = ""): Promise<TestDatabase> {
  const name = `fault_${randomUUID().replaceAll("-", "")}`;
  await onServer(url, `create database ${name} template ${template} strategy file_copy ${options}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: address.href, application_name: "judge" });
  // Connections are cut on purpose; an idle one that dies must not end this process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  await callWitness(pool);
  await watchPauses(pool);
  return {
    url: address.href,
    pool,
    async drop() {
      await pool.end();
      await onServer(url, `drop database if exists ${name} with (force)`);
    },
  };
}

export async function onServer<Row = Record<string, unknown>>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
