import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hangServer } from "../../lib/testing/database/hang-server";
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres, stopUnlessUsed } from "./embedded";
import { isAlive } from "./run";

const STARTER = fileURLToPath(new URL("starter.fixture.ts", import.meta.url));
const PATIENCE = { timeout: 20_000 };
const ROOT = process.getuid?.() === 0;

let parent: string;
let dir: string;
let processes: ChildProcess[];

beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), `handrail-test-${process.pid}-`));
  await chmod(parent, 0o755);
  dir = path.join(parent, "postgres");
  processes = [];
});

afterEach(async () => {
  for (const child of processes) child.kill("SIGKILL");
  const server = existsSync(path.join(dir, "cluster")) ? await start() : undefined; // to stop what was killed or orphaned
  await server?.stop();
  await removeEmbeddedPostgres(dir);
  await rm(parent, { recursive: true });
});

const start = (settings: Record<string, string> = { fsync: "off" }) => startEmbeddedPostgres({ dir, settings });

/** Starts the server from another process; resolves when that process uses it. */
async function startElsewhere(): Promise<{ port: number; stop: () => Promise<unknown>; kill: () => Promise<unknown> }> {
  const child = fork(STARTER, [dir], { execArgv: ["--import", "tsx"] });
  processes.push(child);
  const ended = once(child, "exit");
  const [port] = (await Promise.race([once(child, "message"), ended])) as [number];
  const stop = () => {
    child.send("stop");
    return ended;
  };
  const kill = () => {
    child.kill("SIGKILL");
    return ended;
  };
  return { port, stop, kill };
}

async function postmaster(home = dir): Promise<number> {
  const text = await readFile(path.join(home, "cluster/data/postmaster.pid"), "utf8");
  return Number(text.split("\n")[0]);
}

async function query(server: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url("postgres") });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

describe("startEmbeddedPostgres", () => {
  it("keeps data, port and password from one start to the next", async () => {
    const first = await start();
    await query(first, "create table kept as select 42 as answer");
    await first.stop();
    expect(existsSync(path.join(dir, "cluster/data/postmaster.pid"))).toBe(false);

    const second = await start();
    expect(second.url("postgres")).toBe(first.url("postgres"));
    expect(await query(second, "select answer from kept")).toEqual([42]);
    await second.stop();
  });

  it("gives a PostgreSQL 18 with the settings asked for, to nobody without the password", async () => {
    const server = await start({ fsync: "off", application_name: "it's quoted" });
    const asked = "select current_setting('server_version_num')::int / 10000, current_setting('application_name')";
    expect(await query(server, asked)).toEqual([18, "it's quoted"]);

    const { mode } = await stat(path.join(dir, "cluster/password"));
    expect(mode & 0o777).toBe(0o600);
    const stranger = new pg.Client({ connectionString: server.url("postgres").replace(/:[^:@]+@/, ":wrong@") });
    await expect(stranger.connect()).rejects.toMatchObject({ code: "28P01" });
    await server.stop();
  });

  it("starts again after the server was killed, with everything committed", async () => {
    const killed = await start();
    await query(killed, "create table kept as select 42 as answer");
    process.kill(await postmaster(), "SIGKILL");

    const server = await start();
    expect(await query(server, "select answer from kept")).toEqual([42]);
    await server.stop();
    await killed.stop();
  });

  it.runIf(process.platform === "linux").each([
    ["another program", "exec sleep 1000", (pid: number) => pid],
    ["a zombie", "sleep 0 & echo $!; exec sleep 1000", undefined],
  ] as const)("starts when %s has the number of the server that was killed", async (_, script, number) => {
    const killed = await start();
    const server = await postmaster();
    process.kill(server, "SIGKILL");
    await killed.lost;
    const pidFile = path.join(dir, "cluster/data/postmaster.pid");
    const { uid, gid } = await stat(pidFile); // of another user's process the server would think nothing
    const other = spawn("sh", ["-c", script], { uid, gid, stdio: ["ignore", "pipe", "inherit"] });
    processes.push(other);
    const pid = number?.(other.pid as number) ?? Number(String(await once(other.stdout, "data")));
    const text = await readFile(pidFile, "utf8");
    await writeFile(pidFile, text.replace(String(server), String(pid)));

    const again = await start();
    expect(await postmaster()).not.toBe(pid);
    await again.stop();
    await killed.stop();
  });

  it("writes into its log neither rows nor statements", async () => {
    const server = await start();
    await query(server, "create table customer (name text primary key check (name <> 'Eve Secret'))");
    await query(server, "insert into customer values ('Ann Secret')");
    await expect(query(server, "insert into customer values ('Ann Secret')")).rejects.toThrow("duplicate");
    await expect(query(server, "insert into customer values ('Eve Secret')")).rejects.toThrow("violates");
    await server.stop();
    const log = await readFile(path.join(dir, "cluster/postgres.log"), "utf8");
    expect(log).toContain("duplicate key value");
    expect(log).not.toContain("Secret");
  });

  it("starts one server for four processes at once; the last one stops it", async () => {
    const [first, second, third, fourth] = await Promise.all([1, 2, 3, 4].map(startElsewhere));
    if (!first || !second || !third || !fourth) throw new Error("four were started");
    expect(new Set([first, second, third, fourth].map(({ port }) => port)).size).toBe(1);
    expect((await readdir(dir)).filter((name) => name !== "cluster")).toEqual([]);

    const pid = await postmaster();
    await first.stop();
    await second.kill();
    await third.stop();
    expect(isAlive(pid)).toBe(true);
    expect(await postmaster()).toBe(pid);
    await fourth.stop();
    expect(existsSync(path.join(dir, "cluster/data/postmaster.pid"))).toBe(false);
  });

  it("goes on with a server whose user was killed", async () => {
    const elsewhere = await startElsewhere();
    const pid = await postmaster();
    await elsewhere.kill();

    const server = await start();
    expect(await postmaster()).toBe(pid);
    await server.stop();
    expect(existsSync(path.join(dir, "cluster/data/postmaster.pid"))).toBe(false);
  });

  it.runIf(process.platform === "linux")("stops a server that hangs, and one whose user was killed, too", async () => {
    const ends = [
      async () => {
        const server = await start();
        return () => server.stop();
      },
      async () => {
        const elsewhere = await startElsewhere();
        return () => elsewhere.kill().then(() => stopUnlessUsed(dir));
      },
    ];
    for (const begin of ends) {
      const end = await begin();
      const goOn = await hangServer(await postmaster());
      try {
        const ended = end();
        await expect.poll(() => existsSync(path.join(dir, "cluster/data/postmaster.pid")), PATIENCE).toBe(false);
        await ended;
      } finally {
        goOn();
      }
    }
  });

  it("sweeps up a set-up that was killed", async () => {
    const dead = path.join(dir, "cluster.999999999.ab");
    await mkdir(dead, { recursive: true });
    await (await start()).stop();
    expect(existsSync(dead)).toBe(false);
  });

  it.runIf(ROOT)("puts the data where its user gets in, when root's folder is closed to everybody else", async () => {
    await chmod(parent, 0o700);
    const server = await start();
    await query(server, "create table kept as select 42 as answer");
    const home = (await readFile(path.join(dir, "moved-to"), "utf8")).trim();
    expect(await postmaster(home)).toBeGreaterThan(0);
    await server.stop();

    const again = await start();
    expect(await query(again, "select answer from kept")).toEqual([42]);
    await again.stop();
    await removeEmbeddedPostgres(dir);
    expect([home, dir].filter((folder) => existsSync(folder))).toEqual([]);
  });
});

describe("stopUnlessUsed", () => {
  it("stops a server whose user was killed, and none that is used", async () => {
    const elsewhere = await startElsewhere();
    const pid = await postmaster();
    await stopUnlessUsed(dir);
    expect(await postmaster()).toBe(pid);
    await elsewhere.kill();
    await stopUnlessUsed(dir);
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
    await stopUnlessUsed(dir); // there is none any more
  });
});

describe("removeEmbeddedPostgres", () => {
  it("refuses while another process uses the data, and says which", async () => {
    const elsewhere = await startElsewhere();
    const refusal = new RegExp(`in use.*process ${await postmaster()}`);
    await expect(removeEmbeddedPostgres(dir)).rejects.toThrow(refusal);
    await elsewhere.stop();
    await removeEmbeddedPostgres(dir);
    expect(existsSync(dir)).toBe(false);
  });

  it("removes what an orphaned server holds", async () => {
    const elsewhere = await startElsewhere();
    const pid = await postmaster();
    await elsewhere.kill();
    await removeEmbeddedPostgres(dir);
    expect(existsSync(dir)).toBe(false);
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  });
});
