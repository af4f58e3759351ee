import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPool } from "../../store/database/pools";
import { poolDb } from "../../store/db";
import { insertRunOnce } from "../../store/runs/start-run";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { databaseTrouble } from "./database-trouble";
import { readinessProblems } from "./readiness";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function aDb(databaseUrl = database.url) {
  const pool = createPool({
    databaseUrl,
    name: "console",
    max: 1,
    statementTimeoutMs: 5_000,
    idleInTransactionMs: 5_000,
  });
  return { db: poolDb(pool), end: () => pool.end() };
}

it("a database that takes writes is ready", async () => {
  const { db, end } = aDb();
  expect(await readinessProblems(db)).toEqual([]);
  await end();
});

it("a database that takes none is not, and says so; so does a write", async () => {
  const { db, end } = aDb(`${database.url}?options=-c%20default_transaction_read_only%3Don`);
  expect(await readinessProblems(db)).toEqual([expect.stringContaining("takes no changes")]);
  const run = { workflow: "w", version: 1, input: "{}", tags: {} };
  const error = await insertRunOnce(db, run as never).catch((thrown: unknown) => thrown);
  expect(databaseTrouble(error)).toMatchObject({ code: "unavailable", message: expect.stringContaining("no changes") });
  await end();
});

it("an unreachable database is not", async () => {
  const { db, end } = aDb("postgresql://nobody@127.0.0.1:1/none");
  expect(await readinessProblems(db)).toEqual([expect.stringContaining("cannot be reached")]);
  await end();
});

it("a database that hangs is not, which is known while its statement still waits", async () => {
  const sockets: Socket[] = [];
  const frozen = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
  await once(frozen, "listening");
  const { port } = frozen.address() as AddressInfo;
  const { db, end } = aDb(`postgresql://nobody@127.0.0.1:${port}/none`);
  expect(await readinessProblems(db)).toEqual([expect.stringContaining("does not answer within")]);
  for (const socket of sockets) socket.destroy();
  frozen.close();
  await end();
});
