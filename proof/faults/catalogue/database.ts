import { execFile } from "node:child_process";
import { chown, mkdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import pino from "pino";
import { accountCredit } from "../../../demo/workflows/account-credit/account-credit";
import { prepareStart } from "../../../lib/engine/runs/start";
import type { Logger } from "../../../lib/log";
import { sqlState } from "../../../lib/store/db";
import { insertRunOnce } from "../../../lib/store/runs/start-run";
import type { TestDatabase } from "../../../lib/testing/database/database";
import { until } from "../../../lib/testing/until";
import type { Settings } from "../../../scripts/postgres/cluster";
import { startEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { isAlive } from "../../../scripts/postgres/run";
import { type Fault, Skipped } from "../fault";
import { SAMPLES } from "../load";
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
      await scene.load(1, [scene.random.pick(SAMPLES).workflow.name]);
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

/** An operator's session, or a backup, that locks a run's row and is silent: its neighbors must not wait with it. */
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

/** Acknowledged requests must be there after it; others are repeated, with their key. */
const startSurely = async (scene: Scene): Promise<void> => {
  const key = scene.word();
  const input = { accountId: `sure-${key}`, amountCents: 100 };
  const prepared = await prepareStart(accountCredit, input, { idempotencyKey: key });
  const { id } = await until("The start's acknowledgement", () =>
    insertRunOnce(scene.db, prepared).catch(() => undefined),
  );
  scene.note({ id, workflow: accountCredit.name, input, mayBe: ["completed"] });
};

/** A separate server, so that no other test's is pulled from under it. */
const onOwnServer =
  (settings: Settings = {}) =>
  async (rig: Rig): Promise<TestDatabase> => {
    const server = await startServer(ownServer(rig), settings);
    const database = await createDatabase(server);
    return {
      ...database,
      // The whole server goes, and its database with it.
      async drop() {
        await database.pool.end();
        await server.remove();
      },
    };
  };

const ownServer = ({ scratch }: Rig) => join(scratch, "own-server");

/** An immediate shutdown, in which every process of the server ends at once; then a start. */
async function restartAtOnce(scene: Scene): Promise<void> {
  const [row] = await scene.rows<{ pid: string }>("select pg_read_file('postmaster.pid', 0, 20) as pid");
  const pid = Number.parseInt((row as { pid: string }).pid, 10);
  process.kill(pid, "SIGQUIT");
  await until("The server's end", () => !isAlive(pid));
  const port = Number(new URL(scene.database.url).port);
  const server = await startEmbeddedPostgres({ dir: ownServer(scene.rig), port });
  scene.atClose(server.stop);
}

const RESTARTS = 10;

const restarted: Fault = {
  name: "Postgres restarted",
  how: `${RESTARTS} immediate restarts of the server under load, while runs are started`,
  database: onOwnServer(),
  async strike(scene) {
    await scene.load(2);
    const { log, checkLines } = aCountingLog(scene);
    const worker = await scene.worker({ leaseMs: 60_000, log });
    await whileStarting(scene, async () => {
      for (let restarts = 0; restarts < RESTARTS; restarts++) {
        await delay(300);
        await restartAtOnce(scene);
      }
    });
    await scene.untilQuiet();
    scene.check(!worker.isLost(), "P1", "short restarts cost the worker its lease of a minute");
    checkLines();
    return RESTARTS;
  },
};

/** Loops that fail and retry at once fill a disk with their logs. */
const LINES_PER_SECOND = 5;

function aCountingLog(scene: Scene): { log: Logger; checkLines(): void } {
  const since = performance.now();
  let lines = 0;
  const log = pino({ level: "warn" }, { write: () => void lines++ });
  return {
    log,
    checkLines() {
      const seconds = (performance.now() - since) / 1_000;
      scene.check(lines <= LINES_PER_SECOND * seconds, "P1", `the worker logged ${lines} lines in ${seconds} s`);
    },
  };
}

/** Every session of the database ends, those of the judge as well. */
const endSessions = (scene: Scene) =>
  onServer(
    scene.rig.server.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(scene)}'`,
  );
const nameOf = ({ database }: Scene) => new URL(database.url).pathname.slice(1);

/** As after a failover, when the old address leads to a standby. */
const readOnly: Fault = {
  name: "read-only database",
  how: "the database takes no writes for 3 s under load (25006), then does again",
  async strike(scene) {
    const { log, checkLines } = aCountingLog(scene);
    await scene.worker({ leaseMs: 30_000, log });
    await scene.load(2);
    const set = (to: string) =>
      onServer(scene.rig.server.url, `alter database ${nameOf(scene)} set default_transaction_read_only = ${to}`);
    let refused = 0;
    await whileStarting(scene, async () => {
      await set("on");
      for (const until = performance.now() + 3_000; performance.now() < until; await delay(50)) {
        await endSessions(scene);
        await scene
          .rows("update handrail.run set epoch = epoch where false")
          .catch((error) => sqlState(error) === "25006" && refused++);
      }
      await set("off");
      await endSessions(scene);
    });
    await scene.untilQuiet();
    checkLines();
    return refused;
  },
};

const FEW = 30;

/** Others hold every connection that the server has; a worker that loses its own gets none for a while. */
const serverFull: Fault = {
  name: "max_connections reached",
  how: `others hold all ${FEW} connections of the server for 3 s (53300), the worker has lost its own`,
  database: onOwnServer({ max_connections: String(FEW) }),
  async strike(scene) {
    const { log, checkLines } = aCountingLog(scene);
    await scene.worker({ leaseMs: 30_000, log });
    await scene.load(2);
    const others: pg.Client[] = [];
    let refused = 0;
    for (const until = performance.now() + 3_000; performance.now() < until; await delay(5)) {
      const client = new pg.Client({ connectionString: scene.database.url });
      client.on("error", () => undefined);
      await client.connect().then(
        () => others.push(client),
        (error) => sqlState(error) === "53300" && refused++,
      );
      await scene.rows(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name ~ '^(test worker|handrail)'`);
    }
    await Promise.all(others.map((client) => client.end()));
    await scene.untilQuiet();
    checkLines();
    return refused;
  },
};

/** Counted by a sequence, which no rollback takes back. */
const UNLUCKY = `
  create sequence unlucky;
  create function unlucky() returns trigger language plpgsql as $$
  begin
    if random() < 0.15 then
      perform nextval('unlucky');
      raise exception 'a victim had to be found' using errcode = case when random() < 0.5 then '40P01' else '40001' end;
    end if;
    return null;
  end $$;
  create trigger unlucky before insert or update on handrail.step for each statement execute function unlucky();
  create trigger unlucky before update on handrail.run for each statement execute function unlucky();`;

/** Concurrency errors that any statement may meet must not fail a step. */
const unlucky: Fault = {
  name: "deadlocks",
  how: "every seventh of the engine's writes is a victim of a deadlock or of a serialization failure (40P01, 40001)",
  async strike(scene) {
    await scene.load(3);
    await scene.rows(UNLUCKY);
    await scene.worker({ leaseMs: 30_000 });
    await scene.untilQuiet();
    await scene.rows("drop function unlucky() cascade");
    const [row] = await scene.rows<{ times: number }>("select last_value::int as times from unlucky");
    return row?.times ?? 0;
  },
};

/** A client starts runs, one after the other, during the work. */
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

/** To the last page, also when other workers take some of them meanwhile. */
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

export const databaseFaults: Fault[] = [
  terminated,
  restarted,
  readOnly,
  serverFull,
  diskFull,
  unlucky,
  idleTransaction,
  exhausted(1),
  exhausted(2),
];
