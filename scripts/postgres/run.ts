import { spawn } from "node:child_process";

/** PostgreSQL refuses to run as root, so that root lends it another user. */
export type ServerUser = { uid: number; gid: number };

type Options = {
  user?: ServerUser;
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** "none" for a program that leaves a daemon behind: the daemon would keep the pipe open. */
  output?: "none";
};

/** Runs a program to its end and returns what it said; whether its exit code is a failure is up to the caller. */
export function run(
  command: string,
  args: string[],
  options: Options,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const pipe = options.output === "none" ? "ignore" : "pipe";
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ["ignore", pipe, pipe],
      ...options.user,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (text) => {
        output += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output: output.trim() }));
  });
}

/** Whether a process with this id exists, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
