import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { median } from "../figure";
import { costSoFar, difference, durableCommits, walPosition } from "../server-cost";
import type { Engine, Peer } from "./peer";

/** An engine on a fresh database: a client of it, and what starts its worker, which may be a client as well. */
export interface Bed {
  engine: Engine;
  client: Peer;
  /** @param role default: worker */
  startWorker(role?: "worker" | "both"): Promise<Peer>;
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
    await client.ask("enqueue", { kind: "steps", runs: RUNS, count: STEPS });
    await pool.query("checkpoint");
  }
  const worker = await startWorker();
  const [before, own] = [pool && (await costSoFar(pool)), await worker.spent()];
  const since = performance.now();
  await worker.ask("work");
  // What pushes its work does not hold it back for a worker: there, starting is a part of it.
  if (!pool) await client.ask("enqueue", { kind: "steps", runs: RUNS, count: STEPS });
  await untilEnded(client, RUNS);
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

async function untilEnded(client: Peer, runs: number): Promise<number> {
  for (;;) {
    const ended = await client.ask<number>("ended");
    if (ended >= runs) return ended;
    await sleep(50);
  }
}

const WARM_RUNS = 20_000;

/** From the end of the first quarter of many runs to the last one's. Of those alone that do it in seconds. */
export async function warm({ engine, client, startWorker }: Bed): Promise<Figures> {
  if (!engine.isFast) return {};
  await client.ask("enqueue", { kind: "steps", runs: WARM_RUNS, count: STEPS });
  const worker = await startWorker();
  await worker.ask("work");
  const begun = await untilEnded(client, WARM_RUNS / 4);
  const since = performance.now();
  await untilEnded(client, WARM_RUNS);
  const steps = (WARM_RUNS - begun) * STEPS;
  return { "the same warm: 20,000 runs, their last three quarters": (steps / (performance.now() - since)) * 1_000 };
}

interface Seen {
  pickedUpMs: number;
  heardMs: number;
  tookMs: number;
}

/** Where the client is: in a separate process, or in the worker's. */
async function ofBothPlaces(
  { client, startWorker }: Bed,
  measure: (asked: Peer, place: "other process" | "same process") => Promise<Figures>,
): Promise<Figures> {
  const apart = await startWorker();
  await apart.ask("work");
  const elsewhere = await measure(client, "other process");
  await apart.end();
  const both = await startWorker("both");
  await both.ask("work");
  return { ...elsewhere, ...(await measure(both, "same process")) };
}

/** Clients that start a run and wait for its result, by the engine's own wait. */
export const waits = (bed: Bed): Promise<Figures> =>
  ofBothPlaces(bed, async (asked, place) => {
    await asked.ask("inFlight", { limit: 50, count: 10, forMs: 2_000 });
    const { ended, ms } = await asked.ask<{ ended: number; ms: number }>("inFlight", {
      ...{ limit: 50, count: 10 },
      forMs: 6_000,
    });
    return { [`start to result, 50 in flight, 10 steps, runs a second, ${place}`]: (ended / ms) * 1_000 };
  });

/** One run after another on a worker that has nothing else to do. */
export const latency = (bed: Bed): Promise<Figures> =>
  ofBothPlaces(bed, async (asked, place) => {
    await asked.ask("oneByOne", { kind: "steps", runs: 10, count: STEPS });
    const seen = await asked.ask<Seen[]>("oneByOne", { kind: "steps", runs: 50, count: STEPS });
    return {
      [`start to first step, p50 ms, ${place}`]: median(seen.map(({ pickedUpMs }) => pickedUpMs)),
      [`last step to its result at the client, p50 ms, ${place}`]: median(seen.map(({ heardMs }) => heardMs)),
    };
  });

/** Steps of one run, one after another. */
export async function longRun({ engine, client, startWorker }: Bed): Promise<Figures> {
  const worker = await startWorker();
  await worker.ask("work");
  await client.ask("oneByOne", { kind: "steps", runs: 1, count: 50 });
  const figures: Figures = {};
  for (const count of [1_000, 5_000]) {
    if (count > engine.mostSteps) continue;
    const [seen] = await client.ask<Seen[]>("oneByOne", { kind: "steps", runs: 1, count });
    figures[`one run of ${count.toLocaleString("en")} steps, ms a step`] = (seen as Seen).tookMs / count;
  }
  return figures;
}

/** Of the run whose worker is killed. */
const KILLED_IN = 990;

interface Watched {
  begun?: number;
  reached?: number;
}

/** A worker is killed in step 990 of a run; another one, whose process has started before, begins to work at once. */
export async function killed({ client, startWorker }: Bed): Promise<Figures> {
  const doomed = await startWorker();
  await doomed.ask("watch", { step: KILLED_IN, holds: true });
  await doomed.ask("work");
  await client.ask("enqueue", { kind: "steps", runs: 1, count: KILLED_IN + 5 });
  await untilReached(doomed);
  // What was recorded last is durable, and a beat has renewed the lease.
  await sleep(1_000);
  const successor = await startWorker();
  await successor.ask("watch", { step: KILLED_IN });
  // As the engines' processes tell the time (work.mjs).
  const killedAt = performance.timeOrigin + performance.now();
  await doomed.kill();
  await successor.ask("work");
  const { begun, reached } = await untilReached(successor);
  return {
    "kill -9 in step 990: noticed after, s": ((begun as number) - killedAt) / 1_000,
    "… its 990 steps replayed in, ms": (reached as number) - (begun as number),
  };
}

async function untilReached(worker: Peer): Promise<Watched> {
  for (;;) {
    const watched = await worker.ask<Watched>("watched");
    if (watched.reached !== undefined) return watched;
    await sleep(20);
  }
}

/** A run that starts many children at once and waits for them. */
export async function children({ client, startWorker }: Bed): Promise<Figures> {
  if (!(await client.ask<string[]>("kinds")).includes("family")) return {};
  const worker = await startWorker();
  await worker.ask("work");
  await client.ask("oneByOne", { kind: "family", runs: 1, count: 10 });
  const [seen] = await client.ask<Seen[]>("oneByOne", { kind: "family", runs: 1, count: 500 });
  return { "500 children of one run, s": (seen as Seen).tookMs / 1_000 };
}

const CREDITED_RUNS = 1_000;

/** Steps that write to the app's own tables: the write and its checkpoint in one commit. */
export async function atomicCredits({ client, startWorker, pool }: Bed): Promise<Figures> {
  if (!pool || !(await client.ask<string[]>("kinds")).includes("credits")) return {};
  await client.ask("openAccounts");
  await client.ask("enqueue", { kind: "credits", runs: CREDITED_RUNS, count: STEPS });
  const worker = await startWorker();
  const since = performance.now();
  await worker.ask("work");
  await untilEnded(client, CREDITED_RUNS);
  const ms = performance.now() - since;
  const { rows } = await pool.query("select sum(balance)::int as credits from app_account");
  if (rows[0].credits !== CREDITED_RUNS * STEPS)
    throw new Error(`${rows[0].credits} credits of ${CREDITED_RUNS * STEPS}`);
  return { "credits with their checkpoint in one commit, a second": ((CREDITED_RUNS * STEPS) / ms) * 1_000 };
}

/** A worker without work. */
export async function idle({ startWorker, pool }: Bed): Promise<Figures> {
  if (!pool) return {};
  const worker = await startWorker();
  await worker.ask("work");
  await sleep(5_000);
  const [since, before, own] = [await walPosition(pool), await costSoFar(pool), await worker.spent()];
  const SECONDS = 15;
  await sleep(SECONDS * 1_000);
  const server = difference(before, await costSoFar(pool));
  const [commits, spent] = [await durableCommits(pool, since), await worker.spent()];
  // Of the time of both looks, too.
  const seconds = SECONDS + 1.5;
  return {
    "idle: statements a second": server.statements / seconds,
    // A look of costSoFar more: it begins by waiting as long.
    "idle: durable commits a second": commits / (seconds + 1.5),
    "idle: worker's processor ms a second": (spent.cpuMs - own.cpuMs) / seconds,
  };
}
