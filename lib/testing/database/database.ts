import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { dropDatabase } from "../../testkit/drop-database";

export interface TestDatabase {
  url: string;
  pool: pg.Pool;
  /** Ends the pool, and all other connections. */
  drop(): Promise<void>;
}

/** A fresh, migrated database: one per test file, in `beforeAll`; about 70 ms. */
export const createTestDatabase = () => create(`template ${inject("postgresTemplate")} strategy file_copy`);

/** Without Handrail: as an app has it that is about to install it. */
export const createEmptyDatabase = () => create("");

async function create(from: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer((server) => server.query(`create database ${name} ${from}`));
  const url = urlOf(name);
  const pool = new pg.Pool({ connectionString: url });
  // A test may cut connections on purpose; an idle one that dies must not end the test process.
  pool.on("error", () => undefined);
  return {
    url,
    pool,
    async drop() {
      await pool.end();
      await onServer((server) => dropDatabase(server, name));
    },
  };
}

function urlOf(database: string): string {
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer(work: (server: pg.Client) => Promise<unknown>): Promise<void> {
  const server = new pg.Client({ connectionString: inject("postgresUrl") });
  await server.connect();
  try {
    await work(server);
  } finally {
    await server.end();
  }
}
