import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import type { ServerUser } from "../../../scripts/postgres/run";

export interface ProgramOptions {
  command: readonly [string, ...string[]];
  /** Added to the environment. */
  env: Record<string, string>;
  cwd: string;
  user: ServerUser | undefined;
  /** A file, to which each start appends. */
  log: string;
}

/** A program that can be killed and started again. */
export class Program {
  private process: ChildProcess | undefined;

  constructor(private readonly options: ProgramOptions) {}

  /** Its process number; undefined if it does not run. */
  get pid(): number | undefined {
    const { process } = this;
    return process && process.exitCode === null && process.signalCode === null ? process.pid : undefined;
  }

  start(): void {
    const { command, env, cwd, user, log } = this.options;
    const [program, ...args] = command;
    const file = openSync(log, "a");
    this.process = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", file, file],
      ...user,
    });
    closeSync(file);
  }

  /** Without a chance to say goodbye. */
  async kill(): Promise<void> {
    if (!this.process || this.pid === undefined) return;
    const ended = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await ended;
  }
}
