import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { median } from "../figure";
import { openHome } from "./home";
import {
  atomicCredits,
  type Bed,
  children,
  type Figures,
  idle,
  killed,
  latency,
  longRun,
  throughput,
  waits,
  warm,
} from "./measures";
import { type Engine, Peer, type Role } from "./peer";
import { table } from "./table";

/*
 * `npm run bench:peers`: engines beside each other on one PostgreSQL in one run, in turn, each time on a fresh database. Medians
 * of the rounds.
 */
const MEASURES = {
  throughput,
  warm,
  waits,
  latency,
  "long-run": longRun,
  killed,
  children,
  credits: atomicCredits,
  idle,
};
type Measure = keyof typeof MEASURES;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "3" }, only: { type: "string" } },
});
const rounds = Number(values.rounds);
const asked = (positionals.length > 0 ? positionals : Object.keys(MEASURES)) as Measure[];
const unknown = asked.find((name) => !Object.hasOwn(MEASURES, name));
if (unknown !== undefined || !(rounds >= 1))
  throw new Error(
    `npm run bench:peers -- [${Object.keys(MEASURES).join(" | ")}] [--rounds 3] [--only "DBOS,Handrail"]`,
  );

const home = await openHome();
const dir = await mkdtemp(path.join(tmpdir(), "handrail-peers-db-"));
// Postgres's own defaults, durable commits included.
const server = await startEmbeddedPostgres({ dir, settings: { shared_preload_libraries: "pg_stat_statements" } });
const engines = home.engines.filter(({ name }) => values.only === undefined || values.only.split(",").includes(name));
const measured = new Map<Engine, Figures[]>(engines.map((engine) => [engine, []]));
try {
  for (let round = 0; round < rounds; round++)
    for (const name of asked)
      for (const engine of engines) {
        const figures = await onFreshDatabase(engine, `${engine.module}_${name}_${round}`, MEASURES[name]);
        measured.get(engine)?.push(figures);
        process.stderr.write(`${round + 1}/${rounds} ${name} ${engine.name} ${JSON.stringify(figures)}\n`);
      }
} finally {
  await server.stop();
  await rm(dir, { recursive: true, force: true });
  await home.remove();
}
const { node } = process.versions;
process.stdout.write(
  `\n${new Date().toISOString().slice(0, 16)}Z, ${cpus().length} cores (${cpus()[0]?.model}), Node ${node}, embedded PostgreSQL, ${rounds} rounds\n\n` +
    table(engines, (engine) => medians(measured.get(engine) ?? [])),
);
process.exit(0);

async function onFreshDatabase(
  engine: Engine,
  name: string,
  measure: (bed: Bed) => Promise<Figures>,
): Promise<Figures> {
  const url = server.url(name.replaceAll("-", "_"));
  const pool = engine.onPostgres ? await freshDatabase(url) : undefined;
  const peers: Peer[] = [];
  const start = async (role: Role) => {
    const peer = await Peer.start(home.folder, engine, url, role);
    peers.push(peer);
    return peer;
  };
  try {
    const client = await start("client");
    await client.ask("prepare");
    return await measure({ engine, client, startWorker: (role = "worker") => start(role), pool });
  } finally {
    for (const peer of peers) await peer.end();
    await pool?.end();
  }
}

async function freshDatabase(url: string): Promise<pg.Pool> {
  const at = new URL(url);
  const admin = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: "/postgres" }).href });
  await admin.connect();
  await admin.query(`create database "${at.pathname.slice(1)}"`);
  await admin.end();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await pool.query("create extension pg_stat_statements");
  return pool;
}

function medians(all: readonly Figures[]): Figures {
  const names = [...new Set(all.flatMap((figures) => Object.keys(figures)))];
  const of = (name: string) => all.flatMap((figures) => figures[name] ?? []);
  return Object.fromEntries(names.map((name) => [name, of(name).length > 0 ? median(of(name)) : undefined]));
}
