import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { median } from "../figure";
import { costSoFar, difference } from "../server-cost";
import type { Peer } from "./peer";

/** An engine on a fresh database: a client of it, and what starts its worker. */
export interface Bed {
  client: Peer;
  startWorker(): Promise<Peer>;
  /** Of the server, to ask what it has spent; undefined for an engine that is not on Postgres. */
  pool: Pool | undefined;
}

/** Figures by their names; undefined: cannot be said of this engine. */
export type Figures = Record<string, number | undefined>;

const RUNS = 5_000;
const STEPS = 3;

/** Runs that wait already, and a worker that has just started: from its begin to the last durable end. */
export async function throughput({ client, startWorker, pool }: Bed): Promise<Figures> {
  if (pool) {
    await client.ask("enqueue", { runs: RUNS, steps: STEPS });
    await pool.query("checkpoint");
  }
  const worker = await startWorker();
  const [before, own] = [pool && (await costSoFar(pool)), await worker.spent()];
  const since = performance.now();
  await worker.ask("work");
  // What pushes its work does not hold it back for a worker: there, starting is a part of it.
  if (!pool) await client.ask("enqueue", { runs: RUNS, steps: STEPS });
  while ((await client.ask<number>("ended")) < RUNS) await sleep(50);
  const ms = performance.now() - since;
  const spent = await worker.spent();
  const after = pool && (await costSoFar(pool));
  const server = before && after && difference(before, after);
  const all = RUNS * STEPS;
  return {
    "steps a second": (all / ms) * 1_000,
    "worker's processor ms a step": (spent.cpuMs - own.cpuMs) / all,
    "server's processor ms a step": server && server.cpuMs / all,
    "statements a step": server && server.statements / all,
    "commits a step": server && server.commits / all,
    "WAL bytes a step": server && server.walBytes / all,
    "worker's memory, MB": spent.memory / 1e6,
  };
}

/** Clients that start a run and wait for its result, by the engine's own wait. */
export async function waits({ client, startWorker }: Bed): Promise<Figures> {
  const worker = await startWorker();
  await worker.ask("work");
  await client.ask("inFlight", { limit: 50, steps: 10, forMs: 3_000 });
  const { ended, ms } = await client.ask<{ ended: number; ms: number }>("inFlight", {
    limit: 50,
    steps: 10,
    forMs: 8_000,
  });
  return { "start to result, 50 in flight, 10 steps, runs a second": (ended / ms) * 1_000 };
}

interface Seen {
  pickedUpMs: number;
  heardMs: number;
  tookMs: number;
}

/** One run after another on a worker that has nothing else to do. */
export async function latency({ client, startWorker }: Bed): Promise<Figures> {
  const worker = await startWorker();
  await worker.ask("work");
  await client.ask("oneByOne", { runs: 10, steps: 3 });
  const seen = await client.ask<Seen[]>("oneByOne", { runs: 60, steps: 3 });
  return {
    "start to first step, p50 ms": median(seen.map(({ pickedUpMs }) => pickedUpMs)),
    "last step to its result at the client, p50 ms": median(seen.map(({ heardMs }) => heardMs)),
  };
}

/** Steps of one run, one after another. */
export async function longRun({ client, startWorker }: Bed): Promise<Figures> {
  const worker = await startWorker();
  await worker.ask("work");
  const STEPS_OF_ONE = 900; // OpenWorkflow allows 1,000 a run.
  await client.ask("oneByOne", { runs: 1, steps: 50 });
  const [seen] = await client.ask<Seen[]>("oneByOne", { runs: 1, steps: STEPS_OF_ONE });
  return { "one run of 900 steps, ms a step": (seen as Seen).tookMs / STEPS_OF_ONE };
}

/** A worker without work. */
export async function idle({ startWorker, pool }: Bed): Promise<Figures> {
  if (!pool) return {};
  const worker = await startWorker();
  await worker.ask("work");
  await sleep(5_000);
  const [before, own] = [await costSoFar(pool), await worker.spent()];
  const SECONDS = 15;
  await sleep(SECONDS * 1_000);
  const server = difference(before, await costSoFar(pool));
  const spent = await worker.spent();
  // Of the time of both looks, too.
  const seconds = SECONDS + 1.5;
  return {
    "idle: statements a second": server.statements / seconds,
    "idle: commits a second": server.commits / seconds,
    "idle: worker's processor ms a second": (spent.cpuMs - own.cpuMs) / seconds,
  };
}
