import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { migrate } from "../../../lib/store/migrations/migrate";
import { TEST_AUDIT_KEY } from "../../../lib/testing/audit-keys";
import { ChildConsole } from "../../../lib/testing/processes/crash";
import { freePort } from "../../../scripts/ports";
import { startEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { processCpuMs, serverCpuMs } from "../server-cost";
import { makeDatabase } from "./database";
import { type Facts, factsOf } from "./facts";

/** The first is the one whose console the page is of. */
export const CELLS = ["a", "b", "c", "d"] as const;
export type CellName = (typeof CELLS)[number];
export const [OWN, ...OTHERS] = CELLS;
/** Ten million runs in all. */
const SIZE = "2500k";

const BOOTSTRAP = "bootstrap-of-the-bench-0123456789-abcdef";
const SECRET = "fleet-of-the-bench-0123456789-abcdefghij";

/** Four cells that run: each a PostgreSQL server with Postgres's default settings, and a console. */
export interface Cells {
  consoles: Record<CellName, ChildConsole>;
  /** Of the data, which are the same in each cell. */
  facts: Facts;
  /** For requests of an operator to each of them: of a token that it looks up in its database, as it does for a session. */
  headers: Record<CellName, { authorization: string }>;
  /** Processor time that their consoles and their databases have taken so far. */
  spent(): Promise<Spent>;
  stop(): Promise<void>;
}

export interface Spent {
  consolesMs: number;
  databasesMs: number;
}

/** Fills one cluster, and copies it where the others are missing: filling takes long, copying does not. */
export async function makeCells(dir: string): Promise<void> {
  const homeOf = (name: string) => path.join(dir, name, "postgres");
  await makeDatabase(path.join(dir, OWN), SIZE);
  if (!existsSync(path.join(homeOf(OWN), "cluster")))
    throw new Error(
      `PostgreSQL's user cannot reach ${dir}: set BENCH_CONSOLE_DIR to a folder that everybody can enter.`,
    );
  for (const name of OTHERS) {
    if (existsSync(homeOf(name))) continue;
    const part = path.join(dir, `${name}.part`);
    await rm(part, { recursive: true, force: true });
    await promisify(execFile)("cp", ["-a", path.join(dir, OWN), part]);
    await rename(part, path.join(dir, name));
    process.stdout.write(`  cell ${name}: copied\n`);
  }
}

export async function startCells(dir: string): Promise<Cells> {
  const started: { stop: () => Promise<void> }[] = [];
  const stop = async () => {
    for (const one of started.reverse()) await one.stop();
  };
  try {
    const origins = new Map<CellName, string>();
    for (const name of CELLS) origins.set(name, `http://127.0.0.1:${await freePort()}`);
    const pools: pg.Pool[] = [];
    const consoles = {} as Cells["consoles"];
    const headers = {} as Cells["headers"];
    for (const name of CELLS) {
      const server = await startEmbeddedPostgres({ dir: path.join(dir, name, "postgres") });
      started.push(server);
      const url = server.url(`console_${SIZE}`);
      await migrate(url);
      const pool = new pg.Pool({ connectionString: url, max: 1 });
      started.push({ stop: () => pool.end() });
      pools.push(pool);
      const console = await startConsole(url, name, origins);
      started.push({ stop: () => console.kill() });
      consoles[name] = console;
      headers[name] = { authorization: `Bearer ${await tokenAt(console)}` };
    }
    const facts = await factsOf(pools[0] as pg.Pool);
    return { consoles, facts, headers, spent: () => spentBy(Object.values(consoles), pools), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function spentBy(consoles: readonly ChildConsole[], pools: readonly pg.Pool[]): Promise<Spent> {
  const databases = await Promise.all(pools.map(serverCpuMs));
  return {
    consolesMs: sum(consoles.map(({ pid }) => processCpuMs(pid))),
    databasesMs: sum(databases),
  };
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

const startConsole = (url: string, name: CellName, origins: ReadonlyMap<CellName, string>) =>
  ChildConsole.spawn(
    { url },
    {
      port: Number(new URL(origins.get(name) as string).port),
      env: {
        HANDRAIL_AUDIT_KEY: TEST_AUDIT_KEY,
        HANDRAIL_SIGN_IN: "on",
        HANDRAIL_BOOTSTRAP_TOKEN: BOOTSTRAP,
        HANDRAIL_CELL: name,
        HANDRAIL_CELLS: [...origins].map((cell) => cell.join("=")).join(","),
        HANDRAIL_FLEET_SECRET: SECRET,
      },
    },
  );

async function tokenAt({ url }: ChildConsole): Promise<string> {
  const response = await fetch(`${url}/v1/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${BOOTSTRAP}`, "content-type": "application/json" },
    body: JSON.stringify({
      name: `bench ${Date.now()}`,
      scopes: ["operator"],
      expiresInDays: 1,
      reason: "to measure the console of a fleet",
    }),
  });
  const made = await response.json();
  if (!response.ok) throw new Error(`No token was made: ${JSON.stringify(made)}`);
  return made.secret;
}
