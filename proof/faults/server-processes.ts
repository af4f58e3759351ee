import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "../../lib/testing/until";
import { isAlive } from "../../scripts/postgres/run";

const run = promisify(execFile);

/** The postmaster of these data and all of its children; none if no server runs. */
export async function processesOfServer(data: string): Promise<number[]> {
  const file = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  const postmaster = Number.parseInt(file, 10);
  if (!postmaster || !isAlive(postmaster)) return [];
  const { stdout } = await run("ps", ["-o", "pid=", "--ppid", String(postmaster)]).catch(() => ({ stdout: "" }));
  return [postmaster, ...stdout.split(/\s+/).filter(Boolean).map(Number)];
}

export function signalProcesses(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
}

/** All at once, as with their machine. */
export async function killProcesses(pids: readonly number[]): Promise<void> {
  signalProcesses(pids, "SIGKILL");
  await until("The server's end", () => !pids.some(isAlive));
}
