import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { migrate } from "../../lib/store/migrations/migrate";
import { startEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { backlog } from "./backlog";
import { type Bench, measureBaseline, openBench } from "./bench";
import { consolePages, consoleReads } from "./console/console";
import { fleetReads } from "./console/fleet";
import { streams } from "./console/streams";
import { ends } from "./ends";
import { enqueue } from "./enqueue";
import { events } from "./events";
import { fanOut } from "./fan-out";
import { type Figure, lineOf, perSecond } from "./figure";
import { latency } from "./latency";
import { logs } from "./logs";
import { longRuns } from "./long-runs";
import { machines } from "./machines";
import { observed, observedCalls } from "./observed";
import { operations } from "./operations";
import { problems } from "./problems";
import { queues } from "./queues";
import { recovery } from "./recovery";
import { rollups } from "./rollups";
import { scale } from "./scale/scale";
import { schedules } from "./schedules";
import { smallWrites } from "./small-writes";
import { space } from "./space";
import { stored } from "./stored/stored";
import { throughput } from "./throughput";
import { transactions } from "./transactions";
import { verification } from "./verification";

/** Each on a fresh database of the same server, so that no measurement pays for another's rows. */
const MEASUREMENTS: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  throughput,
  machines,
  "long-runs": longRuns,
  latency,
  ends,
  events,
  transactions,
  recovery,
  rollups,
  observed,
  "observed-calls": observedCalls,
  enqueue,
  backlog,
  queues,
  schedules,
  problems,
  operations,
  "fan-out": fanOut,
  "small-writes": smallWrites,
  space,
  streams,
  verification,
  scale,
};

/** On separate databases, which take long to create: excluded when nothing is named. */
const APART: Record<string, () => Promise<Figure[]>> = {
  console: consoleReads,
  pages: consolePages,
  fleet: fleetReads,
  logs,
  stored,
};

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const json = process.argv.includes("--json");
const names = asked.length > 0 ? asked : Object.keys(MEASUREMENTS);

const dir = await mkdtemp(path.join(tmpdir(), "handrail-bench-"));
// Postgres's own defaults, durable commits included.
const server = await startEmbeddedPostgres({ dir, settings: { shared_preload_libraries: "pg_stat_statements" } });
const measured: { name: string; b1: number; b50: number; figures: Figure[] }[] = [];
try {
  for (const name of names) {
    const apart = APART[name];
    if (apart) {
      const figures = await apart();
      measured.push({ name, b1: 0, b50: 0, figures });
      if (!json) for (const figure of figures) process.stdout.write(`${lineOf(figure)}\n`);
      continue;
    }
    const measure = MEASUREMENTS[name];
    if (!measure)
      throw new Error(
        `There is no measurement "${name}". There are: ${[...Object.keys(MEASUREMENTS), ...Object.keys(APART)].join(", ")}.`,
      );
    const url = server.url(`bench_${name.replaceAll("-", "_")}`);
    await migrate(url);
    await withExtension(url);
    const bench = await measureBaseline(openBench(url));
    if (!json) process.stdout.write(`\n${name}: B1 ${perSecond(bench.b1)}, B50 ${perSecond(bench.b50)}\n`);
    const figures = await measure(bench);
    await bench.pool.end();
    measured.push({ name, b1: bench.b1, b50: bench.b50, figures });
    if (!json) for (const figure of figures) process.stdout.write(`${lineOf(figure)}\n`);
  }
} finally {
  await server.stop();
  await rm(dir, { recursive: true, force: true });
}
if (json) {
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model, at: new Date().toISOString() };
  process.stdout.write(`${JSON.stringify({ machine, measured }, null, 2)}\n`);
}
process.exit(0);

async function withExtension(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("create extension if not exists pg_stat_statements");
  await client.end();
}
