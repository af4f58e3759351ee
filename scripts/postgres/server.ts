import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { freePort, isFree } from "../ports";
import type { Cluster, Settings } from "./cluster";
import { isAlive, run } from "./run";

/** What the server wrote about itself when it started; undefined if it doesn't run, or not yet, or was killed. */
export async function runningServer({ data }: Cluster): Promise<{ pid: number; port: number } | undefined> {
  const text = await readFile(path.join(data, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port] = text.split("\n").map(Number); // the third is no number; it isn't used
  return pid && port && isAlive(pid) ? { pid, port } : undefined;
}

/** Tries once. It fails, among other things, when another starter is faster, or the port was taken meanwhile. */
export async function startServer(cluster: Cluster, wanted: number | undefined, settings: Settings): Promise<boolean> {
  const memory = path.join(cluster.data, "../port");
  const last = Number(await readFile(memory, "utf8").catch(() => 0));
  const port = wanted ?? (last && (await isFree(last)) ? last : await freePort());
  const given = { port: String(port), listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings };
  const options = Object.entries(given).map(([name, value]) => `-c ${name}=${quoted(value)}`);
  // -t 120: after a crash the server first replays its log.
  const code = await pgCtl(cluster, ["-l", cluster.log, "-w", "-t", "120", "-o", options.join(" "), "start"]);
  if (code === 0) await writeFile(memory, String(port)).catch(() => undefined); // a mere convenience
  return code === 0;
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
