import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../../lib/env";
import type { Child } from "./child";
import { guardGroup, releaseGroup } from "./guard";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const END_WITH_PARENT = new URL("end-with-parent.mjs", import.meta.url).href;
/** Longer than a worker needs to let its steps finish, shorter than a user's patience. */
const STOP_TIMEOUT_MS = 15_000;

type Options = {
  /** Default: `node`, whose programs end with us even where the group cannot be killed. */
  program?: string;
  args: string[];
  env: Record<string, string>;
  /** Default: this repository. */
  cwd?: string;
  /** Called with what the child reports, and its process's number. */
  onMessage?: (message: unknown, pid: number) => void;
  /** "shown" in the terminal; "errors" shows stderr alone; "kept" for when it is wanted. */
  output: "shown" | "errors" | "kept";
};

const STDIO = { shown: ["inherit", "inherit"], errors: ["ignore", "inherit"], kept: ["pipe", "pipe"] } as const;
const running = new Set<ChildProcess>();

/**
 * Starts a program in a separate process group: a Ctrl-C in the terminal reaches the launcher alone, which then
 * stops its children in order, and a child is killed with everything that it started.
 */
export function startChild(name: string, { program, args, env, cwd = ROOT, onMessage, output }: Options): Child {
  const [command, all] = program ? [program, args] : [process.execPath, ["--import", END_WITH_PARENT, ...args]];
  const child = spawn(command, all, {
    cwd,
    detached: process.platform !== "win32",
    env: environmentWith(env),
    stdio: ["ignore", ...STDIO[output], program ? "ignore" : "ipc"],
  });
  let kept = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (text) => {
      kept += text;
    });
  }
  if (onMessage) child.on("message", (message) => onMessage(message, child.pid as number));
  running.add(child);
  if (child.pid) guardGroup(child.pid);
  child.once("exit", () => killGroup(child)); // what it had started itself goes with it
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(signal ?? `exit code ${code}`));
  }).finally(() => {
    running.delete(child);
    if (child.pid) releaseGroup(child.pid);
  });
  return { name, ended, output: () => kept, stop: () => stopChild(child, ended) };
}

/** For a user who doesn't want to wait. */
export function killChildren(): void {
  for (const child of running) killGroup(child);
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => killGroup(child), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

/** A group exists as long as one of its processes does. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === "win32") {
    child.kill("SIGKILL");
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // EPERM: on macOS, a group that has only zombies left.
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
