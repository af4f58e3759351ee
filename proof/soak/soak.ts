import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { examine } from "../../lib/store/database/doctor";
import { createPool } from "../../lib/store/database/pools";
import { poolDb } from "../../lib/store/db";
import { migrate } from "../../lib/store/migrations/migrate";
import { lockSchedule, pauseSchedule } from "../../lib/store/schedules/change-schedule";
import { until } from "../../lib/testing/until";
import { startEmbeddedPostgres } from "../../scripts/postgres/embedded";
import type { Figure } from "../bench/figure";
import { type Random, randomOf } from "../faults/random";
import { Fleet } from "./fleet";
import { judgeDoctor, judgeLedgers, judgeReaders, TRENDS, thirdsOf } from "./judge";
import { compareLedgers, liveRuns, openLedgers } from "./ledgers";
import { Load, RUNS_OF_A_ROUND, STEPS_OF_A_ROUND } from "./load";
import { type Plan, planOf } from "./plan";
import { Readers } from "./readers";
import type { Sample } from "./sample";
import { Sampler } from "./sampler";
import { SCHEDULE } from "./workflows";

/** Of the maximum that was found. */
const SHARE = 0.6;
/** Rounds that wait while the maximum is sought: more than workers take at once. */
const ROUNDS_WAITING = 100;
const LONGEST_END_MS = 300_000;

export interface SoakOrder {
  minutes: number;
  seed: number;
  /** Whether the console takes part. */
  withConsole: boolean;
  /** Where the samples go, as lines of JSON. */
  samplesFile: string;
  say: (line: string) => void;
}

export interface Soaked {
  plan: Plan;
  samples: readonly Sample[];
  figures: Figure[];
  /** Names of what a soak of this length cannot judge. */
  leftOut: string[];
  maximumStepsASecond: number;
  /** `restarts`: workers that ended by themselves and were replaced. */
  fleet: Pick<Fleet, "kills" | "deploys" | "restarts">;
}

/** A soak on a server and a database of its own, which are gone afterwards. */
export async function soak(order: SoakOrder): Promise<Soaked> {
  const dir = await mkdtemp(path.join(tmpdir(), "handrail-soak-"));
  // PostgreSQL's own defaults, durable commits and autovacuum included.
  const server = await startEmbeddedPostgres({ dir });
  const databaseUrl = server.url("soak");
  await migrate(databaseUrl);
  const limits = { statementTimeoutMs: LONGEST_END_MS, idleInTransactionMs: 60_000 };
  const pool = createPool({ databaseUrl, name: "soak", max: 20, ...limits });
  try {
    await openLedgers(pool);
    return await soakOn(databaseUrl, pool, order);
  } finally {
    await pool.end();
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function soakOn(databaseUrl: string, pool: Pool, order: SoakOrder): Promise<Soaked> {
  const plan = planOf(order.minutes);
  const random = randomOf("soak", order.seed);
  await writeFile(order.samplesFile, "");
  const fleet = new Fleet(databaseUrl, plan, random);
  let readers: Readers | undefined;
  try {
    await fleet.start();
    const load = new Load(pool, () => fleet.currentVersion, random);
    const maximum = await findMaximum(pool, load, plan.drainMs);
    order.say(`Maximum: ${perSecond(maximum)}. The soak is at ${SHARE * 100} % of it: ${perSecond(maximum * SHARE)}.`);
    if (order.withConsole) readers = await Readers.open(databaseUrl, random);
    const sampler = new Sampler(pool, fleet, readers, order.samplesFile);
    await during({ plan, random, fleet, load, readers, sampler, rate: maximum * SHARE });
    order.say("The load has ended: waiting for the last runs.");
    await untilAllEnded(pool, load);
    const trends = plan.hasTrends ? Object.values(TRENDS) : [];
    const thirds = thirdsOf(sampler.samples, plan.totalMs);
    return {
      plan,
      samples: sampler.samples,
      figures: [
        ...judgeLedgers(await compareLedgers(pool)),
        judgeDoctor(await examine(poolDb(pool))),
        ...(readers ? [judgeReaders(readers)] : []),
        ...trends.flatMap((judge) => judge(thirds, plan)),
      ],
      leftOut: plan.hasTrends ? [] : Object.keys(TRENDS),
      maximumStepsASecond: maximum * STEPS_OF_A_ROUND,
      fleet,
    };
  } finally {
    await readers?.close();
    await fleet.close();
  }
}

const perSecond = (rounds: number) =>
  `${Math.round(rounds * STEPS_OF_A_ROUND).toLocaleString("en")} steps, ${Math.round(rounds * RUNS_OF_A_ROUND).toLocaleString("en")} runs a second`;

/** Rounds a second that workers end while enough of them wait, once they are warm. */
async function findMaximum(pool: Pool, load: Load, ms: number): Promise<number> {
  const ended = async () =>
    (await pool.query<{ n: number }>("select count(*)::int as n from soak.ended")).rows[0]?.n ?? 0;
  const drain = async (drainMs: number) => {
    const [since, before] = [performance.now(), await ended()];
    let now = before;
    for (; performance.now() - since < drainMs; now = await ended()) {
      const waiting = load.rounds - now / RUNS_OF_A_ROUND;
      if (waiting < ROUNDS_WAITING) await load.start(Math.ceil(ROUNDS_WAITING - waiting));
      await load.sendDue();
      await delay(20);
    }
    return ((now - before) / RUNS_OF_A_ROUND / (performance.now() - since)) * 1_000;
  };
  await drain(ms / 3);
  return drain((2 * ms) / 3);
}

interface Parts {
  plan: Plan;
  random: Random;
  fleet: Fleet;
  load: Load;
  readers: Readers | undefined;
  sampler: Sampler;
  rate: number;
}

/** All of it at once, for the plan's time; a machine too busy for a kill and a deploy until then has them afterwards. */
async function during({ plan, fleet, load, readers, sampler, rate }: Parts): Promise<void> {
  const end = performance.now() + plan.totalMs;
  let failed = false;
  const isOver = () => failed || (performance.now() >= end && fleet.kills > 0 && fleet.deploys > 0);
  const parts = [
    load.steady(rate, isOver),
    disturb(plan, fleet, isOver),
    sampler.every(plan.sampleEveryMs, isOver),
    readers?.read(isOver),
  ];
  // What fails ends the others, too.
  const results = await Promise.allSettled(
    parts.map(async (part) => {
      try {
        await part;
      } catch (error) {
        failed = true;
        throw error;
      }
    }),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

const LOOK_MS = 100;

/** Kills and deploys, one after the other; a deploy at the time of a kill goes first. */
async function disturb(plan: Plan, fleet: Fleet, isOver: () => boolean): Promise<void> {
  const begin = performance.now();
  let [nextKill, nextDeploy] = [plan.killEveryMs, plan.deployEveryMs];
  for (; !isOver(); await delay(LOOK_MS)) {
    const passed = performance.now() - begin;
    if (passed >= nextDeploy) {
      await fleet.deploy();
      nextDeploy += plan.deployEveryMs;
    } else if (passed >= nextKill) {
      await fleet.kill();
      nextKill = Math.max(nextKill + plan.killEveryMs, performance.now() - begin);
    }
    await fleet.supervise();
  }
}

/** The schedule is paused first, or one of its runs would live at any time. */
async function untilAllEnded(pool: Pool, load: Load): Promise<void> {
  await load.sendDue(true);
  await poolDb(pool).transaction(async (tx) => {
    const schedule = await lockSchedule(tx, SCHEDULE);
    if (schedule) await pauseSchedule(tx, schedule);
  });
  await until("The end of all runs", async () => (await liveRuns(pool)) === 0, LONGEST_END_MS).catch(() => undefined);
}
