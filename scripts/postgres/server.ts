import { readdir, readFile, readlink, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { freePort, isFree } from "../ports";
import type { Cluster, Settings } from "./cluster";
import { isAlive, run } from "./run";

/** What the server wrote about itself when it started; undefined if it doesn't run, or not yet, or was killed. */
export async function runningServer({ data }: Cluster): Promise<{ pid: number; port: number } | undefined> {
  const { pid, port } = await readPidFile(data);
  return pid && port && (await isServer(data, pid)) ? { pid, port } : undefined;
}

async function readPidFile(data: string): Promise<{ pid?: number; port?: number }> {
  const text = await readFile(pidFile(data), "utf8").catch(() => "");
  const [pid, , , port] = text.split("\n").map(Number); // the third is no number; it isn't used
  return { pid, port };
}

const pidFile = (data: string) => path.join(data, "postmaster.pid");

/**
 * After a kill the number in the file may belong to another program, or to a zombie that is never reaped (in a
 * container without an init). On Linux the kernel says which: a server works in its data directory, a zombie nowhere.
 */
async function isServer(data: string, pid: number): Promise<boolean> {
  if (!isAlive(pid) || (await isZombie(pid))) return false;
  const place = await readlink(`/proc/${pid}/cwd`).catch(() => undefined); // another system, or another user's process
  return place === undefined || place === (await realpath(data));
}

async function isZombie(pid: number): Promise<boolean> {
  return /^[ZX]/.test((await statOf(pid))[0] ?? "");
}

/** On Linux, what the kernel says of a process: first its state, then its parent's id; empty where nothing is said. */
async function statOf(pid: number | string): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the command before it may have anything in it
}

/**
 * A server refuses to start while the process that the file names exists, whatever that process is. What may be left of a
 * killed server, it finds by its shared memory all the same.
 */
async function removeStalePidFile({ data }: Cluster): Promise<void> {
  const { pid } = await readPidFile(data);
  if (pid && isAlive(pid) && !(await isServer(data, pid))) await rm(pidFile(data), { force: true });
}

/**
 * The log must not contain data from rows and statements: errors are a line each, without detail and without their
 * statement.
 */
const QUIET_LOG = { log_error_verbosity: "terse", log_min_error_statement: "panic" };

/** Tries once. It fails, among other things, when another starter is faster, or the port was taken meanwhile. */
export async function startServer(cluster: Cluster, wanted: number | undefined, settings: Settings): Promise<boolean> {
  await removeStalePidFile(cluster);
  const memory = path.join(cluster.data, "../port");
  const last = Number(await readFile(memory, "utf8").catch(() => 0));
  const port = wanted ?? (last && (await isFree(last)) ? last : await freePort());
  const place = { port: String(port), listen_addresses: "127.0.0.1", unix_socket_directories: "" };
  const given = { ...place, ...QUIET_LOG, ...settings };
  const options = Object.entries(given).map(([name, value]) => `-c ${name}=${quoted(value)}`);
  // -t 120: after a crash the server first replays its log.
  const code = await pgCtl(cluster, ["-l", cluster.log, "-w", "-t", "120", "-o", options.join(" "), "start"]);
  if (code === 0) await writeFile(memory, String(port)).catch(() => undefined); // a mere convenience
  return code === 0;
}

/**
 * Lets a server go on that was stopped (SIGSTOP), since it could neither say who uses it nor end when asked. A process that was not
 * stopped ignores it. Beyond Linux, only the server's first process goes on.
 */
export async function wakeServer(cluster: Cluster): Promise<void> {
  const running = await runningServer(cluster);
  if (!running) return;
  for (const pid of [running.pid, ...(await childrenOf(running.pid))]) {
    try {
      process.kill(pid, "SIGCONT");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended meanwhile
    }
  }
}

/** On Linux; none elsewhere. */
export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(pids.map(async (pid) => Number((await statOf(pid))[1])));
  return pids.map(Number).filter((_, index) => parents[index] === parent);
}

/** "fast": connections are closed, nothing that was committed is lost. */
export async function stopServer(cluster: Cluster): Promise<void> {
  await pgCtl(cluster, ["-m", "fast", "-w", "-t", "60", "stop"]);
}

/** The end of the server's own log, for an error message. */
export async function lastWords({ log }: Cluster): Promise<string> {
  const text = await readFile(log, "utf8").catch(() => "(there is no log)");
  return text.trim().split("\n").slice(-12).join("\n");
}

async function pgCtl({ binaries, data, user }: Cluster, args: string[]): Promise<number | null> {
  const program = path.join(binaries, "bin/pg_ctl");
  const { code } = await run(program, ["-D", data, ...args], { user, cwd: path.dirname(data), output: "none" });
  return code;
}

/** pg_ctl hands its options to a shell. */
function quoted(value: string): string {
  return process.platform === "win32" ? `"${value}"` : `'${value.replaceAll("'", "'\\''")}'`;
}
