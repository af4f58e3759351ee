import { readFileSync, readlinkSync } from "node:fs";
import type { ProcessIdentity } from "../../store/workers/workers";

/*
 * A lease shows that a worker is silent; the kernel knows at once that it is dead, for processes of the same machine.
 * Only proof counts: when something is unreadable or does not match, the lease decides.
 */

/** Linux only, elsewhere null: macOS and Windows do not give a process's start precisely without a call for each. */
export function identifyProcess(): ProcessIdentity | null {
  const stat = readStat("self");
  // In a /proc that was mounted for another pid namespace, this process has another number.
  if (stat?.pid !== process.pid) return null;
  try {
    return { host: identifyHost(), pid: stat.pid, start: stat.start };
  } catch {
    return null;
  }
}

/**
 * One boot of one kernel, one pid namespace and one time base of process starts: containers differ in the second, and
 * where the third differs the same process has another start.
 */
function identifyHost(): string {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return [boot, ...["pid", "time"].map((namespace) => readlinkSync(`/proc/self/ns/${namespace}`))].join(" ");
}

/** Whether a process of this host has certainly ended. A stopped one (SIGSTOP, a debugger) lives. */
export function isGone({ pid, start }: ProcessIdentity): boolean {
  const stat = readStat(pid);
  // Hidden by hidepid, or missing: only a signal's error distinguishes them.
  if (!stat) return !exists(pid);
  return stat.start !== start || stat.state === "Z" || stat.state === "X";
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function readStat(pid: number | "self"): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
}

interface ProcessStat {
  pid: number;
  /** One letter: Z is a zombie that its parent has not reaped, X is dead, T is stopped. */
  state: string;
  /** Clock ticks (most often 10 ms) from boot to its start. */
  start: number;
}

/**
 * The line of /proc/<pid>/stat, see proc(5). The name is in parentheses and may contain spaces, newlines and
 * parentheses: the following fields are counted from the last one. Undefined when it is not such a line.
 */
export function parseStat(text: string): ProcessStat | undefined {
  const [, pid, state, rest] = /^(\d+) \(.*\) ([A-Za-z]) (.*)$/s.exec(text.trimEnd()) ?? [];
  // The first of the rest is field 4, the start is field 22.
  const start = rest?.split(" ")[18];
  if (pid === undefined || state === undefined || start === undefined || !/^\d+$/.test(start)) return undefined;
  return { pid: Number(pid), state, start: Number(start) };
}
