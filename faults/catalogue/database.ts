import { execFile } from "node:child_process";
import { chown, mkdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { prepareStart } from "../../lib/engine/start";
import { sqlState } from "../../lib/store/db";
import { insertRunOnce } from "../../lib/store/start-run";
import type { TestDatabase } from "../../lib/testing/database";
import { until } from "../../lib/testing/until";
import { startEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { isAlive } from "../../scripts/postgres/run";
import { accountCredit } from "../../workflows/account-credit/account-credit";
import { type Fault, Skipped } from "../fault";
import { createDatabase, onServer, type Rig, startServer } from "../rig";
import type { Scene } from "../scene";

const run = promisify(execFile);

/** Any backend of a worker, busy or not, every few milliseconds. */
const terminated: Fault = {
  name: "backends terminated",
  how: "pg_terminate_backend on a third of the workers' connections, every 15 ms for 2 s under load",
  async strike(scene) {
    await scene.worker({ leaseMs: 10_000 });
    let killed = 0;
    for (const until = performance.now() + 2_000; performance.now() < until; ) {
      await scene.load(1, [scene.random.pick(["order-fulfilment", "account-credit", "user-sync", "order-batch"])]);
      const rows = await scene.rows<{ ended: boolean }>(`
        select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and application_name like 'test worker%' and random() < 0.33`);
      killed += rows.filter(({ ended }) => ended).length;
      await delay(15);
    }
    await scene.untilQuiet();
    return killed;
  },
};

/** A person's session, or a backup, that holds a run's row and says nothing: its neighbours must not wait with it. */
const idleTransaction: Fault = {
  name: "idle transaction",
  how: "somebody's transaction holds a run's row for 3 s and does nothing",
  async strike(scene) {
    const runs = await scene.load(3);
    const held = scene.random.pick(runs);
    const client = await scene.database.pool.connect();
    try {
      await client.query("begin");
      await client.query("select from handrail.run where id = $1 for update", [held.id]);
      await scene.worker();
      const since = performance.now();
      await scene.untilQuiet(runs.filter((run) => run !== held));
      await delay(Math.max(0, 3_000 - (performance.now() - since)));
      await client.query("rollback");
    } finally {
      client.release();
    }
    await scene.untilQuiet();
    return 1;
  },
};

const exhausted = (connections: number): Fault => ({
  name: "connections exhausted",
  how: `a worker with ${connections === 1 ? "one connection" : `${connections} connections`} for engine and app together`,
  async strike(scene) {
    await scene.worker({ connections });
    await scene.load(4);
    await scene.untilQuiet();
    return 1;
  },
});

/** What was acknowledged must be there after it; what was not is asked for again, with its key. */
const startSurely = async (scene: Scene): Promise<void> => {
  const key = scene.word();
  const input = { accountId: `sure-${key}`, amountCents: 100 };
  const prepared = await prepareStart(accountCredit, input, { idempotencyKey: key });
  const { id } = await until("The start's acknowledgement", () =>
    insertRunOnce(scene.db, prepared).catch(() => undefined),
  );
  scene.note({ id, workflow: accountCredit.name, input, mayBe: ["completed"] });
};

/** A server of its own, so that nobody else's is pulled from under them. */
async function onOwnServer(rig: Rig): Promise<TestDatabase> {
  const server = await startServer(restartedServer(rig));
  const database = await createDatabase(server);
  return {
    ...database,
    // The whole server goes, and its database with it.
    async drop() {
      await database.pool.end();
      await server.remove();
    },
  };
}

const restartedServer = ({ scratch }: Rig) => join(scratch, "restarted");

/** An immediate shutdown, in which every process of the server ends where it stands; then a start. */
async function restartAtOnce(scene: Scene): Promise<void> {
  const [row] = await scene.rows<{ pid: string }>("select pg_read_file('postmaster.pid', 0, 20) as pid");
  const pid = Number.parseInt((row as { pid: string }).pid, 10);
  process.kill(pid, "SIGQUIT");
  await until("The server's end", () => !isAlive(pid));
  const port = Number(new URL(scene.database.url).port);
  const server = await startEmbeddedPostgres({ dir: restartedServer(scene.rig), port });
  scene.atClose(server.stop);
}

const restarted: Fault = {
  name: "Postgres restarted",
  how: "three immediate restarts of the server under load, while runs are started",
  database: onOwnServer,
  async strike(scene) {
    await scene.load(2);
    const worker = await scene.worker({ leaseMs: 60_000 });
    await whileStarting(scene, async () => {
      for (let restarts = 0; restarts < 3; restarts++) {
        await delay(300);
        await restartAtOnce(scene);
      }
    });
    await scene.untilQuiet();
    scene.check(!worker.isLost(), "P1", "short restarts cost the worker its lease of a minute");
    return 3;
  },
};

/** Somebody starts runs, one after the other, while the work goes on. */
async function whileStarting(scene: Scene, work: () => Promise<unknown>): Promise<void> {
  let starting = true;
  const client = (async () => {
    for (; starting; await delay(10)) await startSurely(scene);
  })();
  await work();
  starting = false;
  await client;
}

const smallDisk = ({ scratch }: Rig) => join(scratch, "small-disk");
const filler = (rig: Rig) => join(smallDisk(rig), "filler");

/** A disk for one database, with room for it and little more. */
async function onSmallDisk(rig: Rig): Promise<TestDatabase> {
  const folder = smallDisk(rig);
  await mkdir(folder, { recursive: true });
  await run("mount", ["-t", "tmpfs", "-o", "size=40m", "tmpfs", folder]).catch(() => {
    throw new Skipped("needs root and a tmpfs, to make a small disk");
  });
  const space = join(folder, "space");
  await mkdir(space);
  const { uid, gid } = await serverOwner(rig);
  await chown(space, uid, gid);
  await onServer(rig.server.url, `create tablespace small location '${space}'`);
  const database = await createDatabase(rig.server, "tablespace small");
  return {
    ...database,
    async drop() {
      await database.drop();
      await onServer(rig.server.url, "drop tablespace small");
      await run("umount", [folder]);
    },
  };
}

async function serverOwner({ server }: Rig): Promise<{ uid: number; gid: number }> {
  const [row] = await onServer<{ data_directory: string }>(server.url, "show data_directory");
  return stat((row as { data_directory: string }).data_directory);
}

/** To the last page, also when somebody else takes some of them meanwhile. */
async function fill(rig: Rig): Promise<void> {
  const { bavail, bsize } = await statfs(smallDisk(rig));
  await writeFile(filler(rig), Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOSPC") throw error;
  });
}

/** How many of so many writes that need new room are refused for want of it. */
async function refusals(scene: Scene, writes: number): Promise<number> {
  let refused = 0;
  for (let write = 0; write < writes; write++)
    await scene
      .rows("insert into ballast select repeat(md5(random()::text), 200) from generate_series(1, 20)")
      .catch((error) => {
        if (sqlState(error) === "53100") refused++;
      });
  return refused;
}

const diskFull: Fault = {
  name: "disk full",
  how: "the database's disk is full for 3 s under load (53100), then has room again",
  database: onSmallDisk,
  async strike(scene) {
    await scene.rows("create table ballast (text text)");
    await scene.worker();
    await scene.load(2);
    await fill(scene.rig);
    let refused = 0;
    await whileStarting(scene, async () => {
      refused += await refusals(scene, 20);
      await delay(3_000);
      refused += await refusals(scene, 5);
      await rm(filler(scene.rig));
    });
    await scene.untilQuiet();
    return refused;
  },
};

export const databaseFaults: Fault[] = [terminated, restarted, diskFull, idleTransaction, exhausted(1), exhausted(2)];
