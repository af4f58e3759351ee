import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Longer than any stage should take, short enough to report a hung one while it is still awaited. */
const LIMIT_MS = 30 * 60_000;
/** What an interrupted program gets to stop its own servers. */
const GRACE_MS = 15_000;

/** Programs write to a file instead of our terminal: pass them the settings that they would have detected. */
const COLOR = process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" };

export interface Ended {
  /** Null when it did not start, or was stopped. */
  code: number | null;
  output: string;
}

/**
 * Runs a program (of node_modules or the PATH) from the project's root to its end, everything it says going to `log`.
 * Into a file, not a pipe: a daemon that inherits a pipe would keep us waiting for its end.
 */
export function runCommand(
  [program = "", ...args]: string[],
  log: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const file = openSync(log, "w");
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...COLOR, ...env, PATH: path },
    stdio: ["ignore", file, file],
    detached: true,
  });
  closeSync(file);
  const stop = () => stopGroup(child.pid);
  const interrupt = () => stop().then(() => process.exit(130));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  return new Promise((resolve) => {
    let trouble = "";
    const limit = setTimeout(() => {
      trouble = `Stopped: it took longer than ${LIMIT_MS / 60_000} minutes.`;
      void stop();
    }, LIMIT_MS);
    const end = (code: number | null) => {
      clearTimeout(limit);
      process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
      resolve({ code, output: [readFileSync(log, "utf8").trim(), trouble].filter(Boolean).join("\n") });
    };
    child.once("error", (error) => {
      trouble = `It did not start: ${error.message}`;
      end(null);
    });
    child.once("exit", end);
  });
}

/** Asks the program and its children to stop, as Ctrl-C would, and ends what is left after the grace. */
async function stopGroup(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  const deadline = Date.now() + GRACE_MS;
  for (let signal: NodeJS.Signals | 0 = "SIGINT"; signalGroup(pid, signal); signal = 0) {
    if (Date.now() > deadline) return void signalGroup(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Whether anybody was left to receive it; signal 0 only asks. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
