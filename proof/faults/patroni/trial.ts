import { ChildConsole } from "../../../lib/testing/processes/crash";
import { Client } from "../clients";
import { type Fault, type Trial, tryFault } from "../fault";
import { createDatabase, type Rig } from "../rig";
import type { Scene } from "../scene";
import { Canceller } from "./canceller";
import type { Cluster } from "./cluster";
import { Pulse } from "./pulse";
import type { Strike } from "./strikes";
import { SupervisedWorker } from "./supervised-worker";

const LOADED = ["order-fulfilment", "account-credit", "order-batch", "profile-image"];
/** Two thirds of it are longer than a failover. */
export const LEASE_MS = 60_000;
/** From Patroni's part to runs that begin and end again. */
const ALLOWED_MS = 5_000;
/** A shorter silence is the machine's. */
const SILENCE_MS = 2_000;
const CLIENTS = 3;
const CLIENT_PAUSE_MS = 150;

export interface PatroniTrial extends Trial {
  /** From the strike until Patroni had done its part; absent: service must not stop. */
  patroniMs?: number;
  /** From the strike until runs began and ended again; 0: they never stopped for two seconds. */
  serviceMs: number;
  /** Acknowledged to clients. */
  starts: number;
  outcomes: number;
  actions: number;
  lostClaims: number;
  /** Ends of worker processes by themselves. */
  restarts: number;
}

type Measured = Omit<PatroniTrial, keyof Trial>;

/** One strike under load, from a fresh database on the cluster to the verdict, and to a cluster that is whole again. */
export async function tryStrike(rig: Rig, cluster: Cluster, strike: Strike, seed: number): Promise<PatroniTrial> {
  const measured: Measured = { serviceMs: 0, starts: 0, outcomes: 0, actions: 0, lostClaims: 0, restarts: 0 };
  const fault: Fault = {
    name: strike.name,
    how: strike.how,
    database: () => createDatabase(cluster.server),
    async strike(scene) {
      await cluster.untilHealthy();
      await underLoad(scene, cluster, strike, measured);
      await cluster.untilHealthy();
      return 1;
    },
  };
  return { ...(await tryFault(rig, fault, seed)), ...measured };
}

async function underLoad(scene: Scene, cluster: Cluster, strike: Strike, measured: Measured): Promise<void> {
  const { url } = scene.database;
  const { leaseMs = LEASE_MS } = strike;
  const workers = await Promise.all([1, 2].map(() => SupervisedWorker.start(url, leaseMs)));
  scene.atClose(() => Promise.all(workers.map((worker) => worker.stop())));
  const console = await ChildConsole.spawn({ url }, { leaseMs });
  scene.atClose(() => console.kill());
  const clients = Array.from({ length: CLIENTS }, () => new Client(scene, console, LOADED, CLIENT_PAUSE_MS));
  const [pulse, canceller] = [new Pulse(scene, console), new Canceller(scene, console)];
  await pulse.untilMore(15);
  await strike.play({
    cluster,
    databaseUrl: url,
    check: (holds, what) => scene.check(holds, "P1", what),
    measure: (hit, untilPatroni) => measure(scene, pulse, measured, hit, untilPatroni),
  });
  await pulse.untilMore(15);
  for (const part of [...clients, pulse, canceller]) await part.stop();
  await scene.untilQuiet();
  for (const client of clients) await client.check();
  measured.starts = scene.runs.length;
  measured.outcomes = await pulse.check();
  measured.actions = await canceller.check();
  measured.restarts = workers.reduce((sum, { ends }) => sum + ends, 0);
  await checkLeases(scene, leaseMs, measured);
}

async function measure(
  scene: Scene,
  pulse: Pulse,
  measured: Measured,
  hit: () => Promise<unknown>,
  untilPatroni?: () => Promise<unknown>,
): Promise<void> {
  const since = performance.now();
  await hit();
  if (untilPatroni) {
    await untilPatroni();
    measured.patroniMs = performance.now() - since;
  }
  await pulse.untilMore(20);
  const silence = pulse.longestSilence(since);
  measured.serviceMs = silence.ms < SILENCE_MS ? 0 : silence.endedAt - since;
  const allowedMs = (measured.patroniMs ?? 0) + ALLOWED_MS;
  const [took, allowed] = [measured.serviceMs, allowedMs].map((ms) => (ms / 1_000).toFixed(1));
  scene.check(
    measured.serviceMs <= allowedMs,
    "P1",
    `runs ended again after ${took} s, where ${allowed} s are allowed`,
  );
}

/** A lease that outlives the failover costs no worker its process, and no run its claim. */
async function checkLeases(scene: Scene, leaseMs: number, measured: Measured): Promise<void> {
  const [row] = await scene.rows<{ count: number }>("select count(*)::int as count from handrail.lost_claim");
  measured.lostClaims = row?.count ?? 0;
  if (leaseMs < LEASE_MS) return;
  scene.check(
    measured.lostClaims === 0,
    "P5",
    `${measured.lostClaims} claims were lost to a failover shorter than the lease`,
  );
  scene.check(
    measured.restarts === 0,
    "P1",
    `workers ended ${measured.restarts} times in a failover shorter than the lease`,
  );
}
