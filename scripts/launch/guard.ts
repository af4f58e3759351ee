import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Kept, keepRunning } from "./keep-running";

const PROGRAM = fileURLToPath(new URL("guard-process.mjs", import.meta.url));

const groups = new Set<number>();
let postgres: string | null = null;
let guard: ChildProcess | undefined;

/** Starts the process that cleans up when the launcher is killed (guard-process.mjs). */
export function startGuard(): Kept {
  return keepRunning(() => {
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(watched())], {
      detached: process.platform !== "win32",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    guard = child;
    const ended = new Promise<string>((resolve) => {
      child.on("error", (error) => resolve(error.message));
      child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    const stop = async () => {
      child.send("done", () => undefined); // one that was killed meanwhile does not hear it
      await ended;
    };
    return { name: "guard", ended, output: () => "", stop };
  });
}

/** From now on the guard kills this process group if it outlives the launcher. */
export function guardGroup(leader: number): void {
  groups.add(leader);
  tell();
}

export function releaseGroup(leader: number): void {
  groups.delete(leader);
  tell();
}

/** From now on the guard stops the embedded database in this folder if it outlives the launcher and is unused. */
export function guardPostgres(dir: string): void {
  postgres = dir;
  tell();
}

const watched = () => ({ groups: [...groups], postgres });

/** A guard that was killed meanwhile does not hear it; the next one is given all of it when it starts. */
function tell(): void {
  if (guard?.connected) guard.send(watched(), () => undefined);
}
