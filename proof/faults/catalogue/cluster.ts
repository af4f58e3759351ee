import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { startPooler } from "../../../lib/testing/database/pgbouncer";
import { ChildConsole } from "../../../lib/testing/processes/crash";
import { findPgbouncer } from "../../../scripts/test/pgbouncer";
import { Client } from "../clients";
import { type Fault, Skipped } from "../fault";
import { CHILD_LEASE_MS, type Scene } from "../scene";
import { type Pair, startPair } from "../standby";

const LOADED = ["order-fulfilment", "account-credit", "order-batch", "profile-image"];

async function aConsole(scene: Scene, url: string, directUrl: string): Promise<ChildConsole> {
  const console = await ChildConsole.spawn({ url }, { directUrl, leaseMs: CHILD_LEASE_MS });
  scene.atClose(() => console.kill());
  return console;
}

/** Everything goes through four connections, which break twice; a worker process dies between. */
const poolerRestarted: Fault = {
  name: "pooler restarted",
  how: "two workers and a console behind PgBouncer in transaction mode with 4 connections; PgBouncer is killed twice, a worker once",
  async strike(scene) {
    const program = findPgbouncer();
    if (!program) throw new Skipped("needs PgBouncer (Debian: apt-get install pgbouncer)");
    const directUrl = scene.database.url;
    const pooler = await startPooler(program, directUrl);
    scene.atClose(pooler.stop);
    const spawn = () => scene.child({ url: pooler.url, directUrl });
    const workers = [spawn(), spawn()] as const;
    const console = await aConsole(scene, pooler.url, directUrl);
    await Promise.all(workers.map((worker) => worker.untilReady()));
    await scene.load(2);
    const client = new Client(scene, console, LOADED);
    await client.untilMore(5);
    await pooler.restart();
    await client.untilMore(5);
    await workers[0].kill();
    spawn();
    await client.untilMore(5);
    await pooler.restart();
    await client.untilMore(5);
    await client.stop();
    await scene.untilQuiet();
    await client.check();
    return 3;
  },
};

let pair: Pair;

/** If the lease is longer than the failover, no worker is lost: each goes on with the new primary. */
const failover: Fault = {
  name: "failover",
  how: "the primary of a synchronous pair dies under load, and a second later its standby takes its place; then the old one comes back",
  async database({ scratch }) {
    pair = await startPair(scratch);
    return pair.database;
  },
  async strike(scene) {
    const { url } = scene.database;
    const workers = [scene.child({ leaseMs: 40_000 }), scene.child({ leaseMs: 40_000 })];
    const console = await aConsole(scene, url, url);
    await Promise.all(workers.map((worker) => worker.untilReady()));
    await scene.load(2);
    const client = new Client(scene, console, LOADED);
    await client.untilMore(8);
    await pair.killPrimary();
    await delay(1_000);
    await pair.promote();
    await client.untilMore(8);
    await client.stop();
    await scene.untilQuiet();
    await client.check();
    scene.check(!workers.some((worker) => worker.hasEnded), "P1", "a worker did not outlive the failover");
    const [lost] = await scene.rows<{ count: number }>("select count(*)::int as count from handrail.lost_claim");
    scene.check(lost?.count === 0, "P5", `${lost?.count} claims were lost to a failover shorter than the lease`);
    await expectNoAcknowledgement(scene, await pair.reviveOldPrimary());
    return 1;
  },
};

/** Clients of the old primary get no answer: without its standby it acknowledges no commit. */
async function expectNoAcknowledgement(scene: Scene, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const write = client.query("insert into handrail.event (name, id, payload) values ('zombie', 'zombie', '{}')").then(
    () => "acknowledged",
    (error) => `refused: ${error.message}`,
  );
  const answer = await Promise.race([write, delay(1_000, "none")]);
  scene.check(answer === "none", "P1", `the old primary answered a write: ${answer}`);
  await client.end().catch(() => undefined);
}

export const clusterFaults: Fault[] = [poolerRestarted, failover];
