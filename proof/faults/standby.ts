import { execFile } from "node:child_process";
import { appendFile, chown, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { TestDatabase } from "../../lib/testing/database/database";
import { hangServer } from "../../lib/testing/database/hang-server";
import { startProxy } from "../../lib/testing/database/proxy";
import { until } from "../../lib/testing/until";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { createDatabase, onServer, SETTINGS, startServer } from "./rig";
import { killProcesses, processesOfServer } from "./server-processes";

const run = promisify(execFile);

/** A primary and its streaming standby under one name, which leads to whichever is the primary. */
export interface Pair {
  database: TestDatabase;
  standby: StandbyServer;
  /** Whether the standby has everything that is committed by now. */
  hasCaughtUp(): Promise<boolean>;
  /** From now on the standby receives no commits: only where commits do not wait for it. */
  fallBehind(): Promise<void>;
  /** Every process of the primary dies at once, as with its machine. */
  killPrimary(): Promise<void>;
  /** The standby becomes the primary, and the name leads to it. */
  promote(): Promise<void>;
  /** Starts the old primary again, as an unaware operator would; returns its own database address. */
  reviveOldPrimary(): Promise<string>;
}

/** The standby by itself. */
export interface StandbyServer {
  /** The address of the pair's database there. */
  url: string;
  /** While paused, it receives commits and shows none of them. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Stops all of its processes (SIGSTOP); the function lets them go on. */
  hang(): Promise<() => void>;
  kill(): Promise<void>;
  revive(): Promise<void>;
}

/** With synchronous replication, no commit is acknowledged that the standby has not. About five seconds. */
export async function startPair(folder: string, { synchronous = true } = {}): Promise<Pair> {
  const [homeOfPrimary, homeOfStandby] = [join(folder, "primary"), join(folder, "standby")];
  const primary = await startServer(homeOfPrimary);
  await copyServer(primary.url, homeOfStandby);
  let standby = await startEmbeddedPostgres({ dir: homeOfStandby, settings: SETTINGS });
  if (synchronous) await waitForStandby(primary.url);
  const name = await startProxy(primary.url);
  const database = await createDatabase({ ...primary, url: name.url });
  const ownAddress = (port: number) => {
    const url = new URL(database.url);
    url.port = String(port);
    return url.href;
  };
  const ofStandby = () => processesOfServer(join(homeOfStandby, "cluster/data"));
  const stops: (() => Promise<unknown>)[] = [() => standby.stop()];
  const { port: portOfStandby } = standby;
  return {
    standby: {
      url: ownAddress(portOfStandby),
      pauseReplay: async () => void (await onServer(standby.url("postgres"), "select pg_wal_replay_pause()")),
      resumeReplay: async () => void (await onServer(standby.url("postgres"), "select pg_wal_replay_resume()")),
      async hang() {
        const [postmaster] = await ofStandby();
        if (postmaster === undefined) throw new Error("No standby runs.");
        return hangServer(postmaster);
      },
      kill: async () => killProcesses(await ofStandby()),
      async revive() {
        standby = await startEmbeddedPostgres({ dir: homeOfStandby, port: portOfStandby, settings: SETTINGS });
      },
    },
    database: {
      ...database,
      async drop() {
        await database.pool.end();
        await name.close();
        for (const stop of stops) await stop();
        await removeEmbeddedPostgres(homeOfStandby);
        await primary.remove();
      },
    },
    async hasCaughtUp() {
      const [row] = await onServer<{ done: boolean }>(
        primary.url,
        "select replay_lsn >= pg_current_wal_lsn() as done from pg_stat_replication",
      );
      return row?.done === true;
    },
    async fallBehind() {
      await onServer(standby.url("postgres"), "alter system set primary_conninfo = ''");
      await onServer(standby.url("postgres"), "select pg_reload_conf()");
      await until("The end of the stream", async () => {
        const streams = await onServer(primary.url, "select from pg_stat_replication");
        return streams.length === 0;
      });
    },
    killPrimary: async () => killProcesses(await processesOfServer(join(homeOfPrimary, "cluster/data"))),
    async promote() {
      await onServer(standby.url("postgres"), "select pg_promote()");
      name.leadTo(standby.url("postgres"));
    },
    async reviveOldPrimary() {
      const revived = await startEmbeddedPostgres({ dir: homeOfPrimary, settings: SETTINGS });
      stops.push(revived.stop);
      return ownAddress(revived.port);
    },
  };
}

/** A copy of a running server, which will follow it. */
async function copyServer(url: string, dir: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const [{ data_directory: data }] = (await client.query("show data_directory")).rows;
  const cluster = join(data, "..");
  const { uid, gid } = await stat(cluster);
  await mkdir(dir, { recursive: true });
  await chown(dir, uid, gid);
  const copy = join(dir, "cluster");
  await client.query("select pg_backup_start('standby', true)");
  await copyWhole(cluster, copy);
  const [{ labelfile }] = (await client.query("select labelfile from pg_backup_stop(false)")).rows;
  await client.end();
  await rm(join(copy, "port"), { force: true });
  await rm(join(copy, "data/postmaster.pid"), { force: true });
  const { hostname, port, username, password } = new URL(url);
  const conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
  await appendFile(join(copy, "data/postgresql.auto.conf"), `primary_conninfo = '${conninfo}'\n`);
  for (const [file, text] of [
    ["backup_label", labelfile],
    ["standby.signal", ""],
  ]) {
    await writeFile(join(copy, "data", file), text);
    await chown(join(copy, "data", file), uid, gid);
  }
}

/** Files that go while it copies are none of the backup's. */
async function copyWhole(from: string, to: string): Promise<void> {
  await run("cp", ["-a", from, to]).catch((error: { stderr: string }) => {
    const lines = error.stderr.trim().split("\n");
    if (!lines.every((line) => line.endsWith("No such file or directory"))) throw error;
  });
}

async function waitForStandby(url: string): Promise<void> {
  await onServer(url, "alter system set synchronous_standby_names = '*'");
  await onServer(url, "select pg_reload_conf()");
  await until("The standby's stream", async () => {
    const [row] = await onServer<{ sync_state: string }>(url, "select sync_state from pg_stat_replication");
    return row?.sync_state === "sync";
  });
}
