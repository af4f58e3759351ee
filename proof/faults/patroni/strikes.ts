import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { until } from "../../../lib/testing/until";
import type { Cluster } from "./cluster";
import type { Node } from "./node";

/** Longer than any failover of Patroni with the policy of deploy/high-availability. */
const LONGEST_FAILOVER_MS = 120_000;
/** Longer than the leader's key in etcd lives. */
const PAST_TTL_MS = 30_000;
/** Much more than a standby receives in passing. */
const FALLS_BEHIND_BYTES = 128 * 1024 * 1024;

/** What a strike has to do with. */
export interface UnderLoad {
  cluster: Cluster;
  /** Through HAProxy. */
  databaseUrl: string;
  /** Strikes, and measures until Patroni has done its part and until runs begin and end again. Once a strike. */
  measure(strike: () => Promise<unknown>, untilPatroni?: () => Promise<unknown>): Promise<void>;
  /** Reports a broken promise. */
  check(holds: boolean, what: string): void;
}

export interface Strike {
  name: string;
  /** For the table's readers. */
  how: string;
  /** Of the workers. Default: longer than a failover. */
  leaseMs?: number;
  play(load: UnderLoad): Promise<void>;
}

const there = async (node: Promise<Node | undefined>): Promise<Node> =>
  (await node) ?? Promise.reject(new Error("The cluster is not healthy."));

const leaderBut = ({ cluster }: UnderLoad, old?: Node) =>
  until(
    "Another leader",
    async () => {
      const leader = await cluster.leader();
      return leader && leader !== old ? leader : delay(50, undefined);
    },
    LONGEST_FAILOVER_MS,
  );

/** With strict synchronous mode it takes commits when a standby follows it. Asked of it directly, past HAProxy. */
async function untilAnotherLeads(load: UnderLoad, old?: Node): Promise<Node> {
  const leader = await leaderBut(load, old);
  await until("A commit", () => commitAt(load, leader), LONGEST_FAILOVER_MS);
  return leader;
}

async function commitAt(load: UnderLoad, node: Node): Promise<boolean> {
  const client = await connectTo(load, node).catch(() => undefined);
  const committed = await client
    ?.query("create table if not exists public.commits (at timestamptz); insert into public.commits values (now())")
    .then(
      () => true,
      () => false,
    );
  await client?.end().catch(() => undefined);
  return committed || delay(50, false);
}

/** Also where it was one before: a new leader has none for a moment. */
const untilSyncStandby = ({ cluster }: UnderLoad, holds: (node: Node) => boolean) =>
  until(
    "Another synchronous standby",
    async () => {
      const standby = await cluster.nodeOf("sync_standby");
      return standby && holds(standby) ? standby : delay(50, undefined);
    },
    LONGEST_FAILOVER_MS,
  );

async function killLeader(load: UnderLoad): Promise<void> {
  const old = await there(load.cluster.leader());
  await load.measure(
    () => old.kill(),
    () => untilAnotherLeads(load, old),
  );
  old.start();
}

/** It wakes without knowing that another leads, and a client that never noticed writes to it. */
async function hangLeader(load: UnderLoad): Promise<void> {
  const old = await there(load.cluster.leader());
  const client = await connectTo(load, old);
  await load.measure(
    () => old.freeze(),
    () => untilAnotherLeads(load, old),
  );
  const write = client.query("insert into handrail.event (name, id, payload) values ('zombie', 'zombie', '{}')").then(
    () => "acknowledged",
    () => "refused",
  );
  await old.thaw();
  const answer = await Promise.race([write, delay(10_000, "none")]);
  load.check(answer !== "acknowledged", "the old leader acknowledged a write after another led");
  await client.end().catch(() => undefined);
}

async function connectTo({ databaseUrl }: UnderLoad, { port }: Node): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(databaseUrl), { port: String(port) }).href });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** As its machine starts again: it has commits that nobody was told of, and must not lead with them. */
async function oldLeaderReturns(load: UnderLoad): Promise<void> {
  const old = await there(load.cluster.leader());
  await old.kill();
  await untilAnotherLeads(load, old);
  await untilSyncStandby(load, () => true);
  await delay(5_000);
  await load.measure(async () => {
    old.start();
    await load.cluster.untilHealthy();
  });
}

async function switchOver(load: UnderLoad): Promise<void> {
  const { cluster } = load;
  const [leader, candidate] = [await there(cluster.leader()), await there(cluster.nodeOf("sync_standby"))];
  await load.measure(
    async () => {
      const body = JSON.stringify({ leader: leader.name, candidate: candidate.name });
      const answer = await leader.ask("/switchover", { method: "POST", body });
      if (!answer?.ok) throw new Error(`The switchover was refused: ${await answer?.text()}`);
    },
    () => untilAnotherLeads(load, leader),
  );
}

async function loseEtcd(load: UnderLoad): Promise<void> {
  await load.measure(async () => {
    await load.cluster.etcd.loseMajority();
    await delay(PAST_TTL_MS);
  });
  await load.cluster.etcd.heal();
}

/** The leader steps down rather than lead unseen; service comes back with etcd. */
async function loseEtcdWithoutFailsafe(load: UnderLoad): Promise<void> {
  const { cluster } = load;
  await setFailsafe(cluster, false);
  await cluster.etcd.loseMajority();
  await until(
    "The leader's stepping down",
    async () => !(await cluster.leader()) || delay(50, false),
    LONGEST_FAILOVER_MS,
  );
  await load.measure(
    () => cluster.etcd.heal(),
    () => untilAnotherLeads(load),
  );
  await setFailsafe(cluster, true);
}

async function setFailsafe(cluster: Cluster, on: boolean): Promise<void> {
  const body = JSON.stringify({ failsafe_mode: on });
  const answer = await (await there(cluster.leader())).ask("/config", { method: "PATCH", body });
  if (!answer?.ok) throw new Error(`failsafe_mode was not changed: ${await answer?.text()}`);
  // Each node reads it in its next round.
  await delay(6_000);
}

async function hangStandby(load: UnderLoad): Promise<void> {
  const standby = await there(load.cluster.nodeOf("sync_standby"));
  await load.measure(
    () => standby.freeze(),
    () => untilSyncStandby(load, (node) => node !== standby),
  );
  await standby.thaw();
}

/** The third node has not what the others have; it must neither lead nor hold up those that do for longer than it catches up. */
async function killLeaderWhileOneIsBehind(load: UnderLoad): Promise<void> {
  const { cluster } = load;
  const [leader, behind] = [await there(cluster.leader()), await there(cluster.nodeOf("replica"))];
  await behind.freeze();
  await writeMuch(load);
  await load.measure(
    async () => {
      await leader.kill();
      await behind.thaw();
    },
    async () => {
      const next = await untilAnotherLeads(load, leader);
      load.check(next !== behind, "a standby became the leader that had not received every commit");
      await untilSyncStandby(load, () => true);
    },
  );
  leader.start();
}

async function writeMuch({ databaseUrl }: UnderLoad): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("create table public.much (text text)");
  await client.query(
    "insert into public.much select repeat(md5(number::text), 32) from generate_series(1, $1 / 1024) as number",
    [FALLS_BEHIND_BYTES],
  );
  await client.query("drop table public.much");
  await client.end();
}

export const STRIKES: readonly Strike[] = [
  {
    name: "leader killed",
    how: "SIGKILL of each process of the leader's node, as with its machine; started again afterwards",
    play: killLeader,
  },
  {
    name: "leader killed under a short lease",
    how: "the same, with workers whose lease of 4 s is the default and shorter than the failover: each loses it, ends and is started again",
    leaseMs: 4_000,
    play: killLeader,
  },
  {
    name: "leader hangs",
    how: "SIGSTOP of each process of the leader's node; after the failover SIGCONT, and a write on an old connection to it",
    play: hangLeader,
  },
  {
    name: "old leader comes back",
    how: "the leader was killed and another leads; the node starts again under load, with what it had written",
    play: oldLeaderReturns,
  },
  { name: "switchover", how: "asked of Patroni, to the synchronous standby", play: switchOver },
  {
    name: "etcd without majority",
    how: "two of three members killed for 30 s, longer than the leader's key lives, and started again; with failsafe_mode",
    play: loseEtcd,
  },
  {
    name: "etcd without majority, no failsafe",
    how: "the same with failsafe_mode off: the leader steps down; measured from when etcd is started again",
    play: loseEtcdWithoutFailsafe,
  },
  {
    name: "standby hangs",
    how: "SIGSTOP of each process of the standby for which commits wait; SIGCONT when another one has its place",
    play: hangStandby,
  },
  {
    name: "replica behind as the leader is killed",
    how: "the third node is stopped, 128 MiB are written, the leader is killed and the third node goes on",
    play: killLeaderWhileOneIsBehind,
  },
];
