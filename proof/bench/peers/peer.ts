import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** An engine of the bench, as it is named in tables. */
export interface Engine {
  name: string;
  /** The module in engines/. */
  module: string;
  onPostgres: boolean;
  version: string;
  /** That it allows in one run. */
  mostSteps: number;
  /** Whether it does tens of thousands of steps in seconds. */
  isFast: boolean;
}

export type Role = "client" | "worker" | "both";

type Answer<Result> = { answer: Result } | { error: string };

/** What a process has spent so far. */
export interface Spent {
  cpuMs: number;
  /** Resident, in bytes. */
  memory: number;
}

/** A process of an engine, which answers one question after another (engines/process.mjs). */
export class Peer {
  private constructor(
    private readonly engine: Engine,
    private readonly child: ChildProcess,
  ) {}

  static async start(home: string, engine: Engine, url: string, role: Role): Promise<Peer> {
    const child = fork(path.join(home, "process.mjs"), [engine.module, url, role], {
      // As a user starts it: without this bench's own loader.
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, NODE_ENV: "production", HANDRAIL_LOG: "error" },
    });
    const peer = new Peer(engine, child);
    await peer.next();
    return peer;
  }

  async ask<Result = null>(ask: string, given: object = {}): Promise<Result> {
    this.child.send({ ask, ...given });
    return this.next<Result>();
  }

  spent(): Promise<Spent> {
    return this.ask<Spent>("spent");
  }

  async kill(): Promise<void> {
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }

  /** By its exit, so that a server which it started ends with it. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.disconnect();
    await ended;
  }

  private async next<Result>(): Promise<Result> {
    const over = new AbortController();
    const ended = once(this.child, "exit", over).then(([code]) => ({ error: `its process ended with ${code}` }));
    const told = once(this.child, "message", over).then(([message]) => message as Answer<Result>);
    const answer = await Promise.race([told, ended]).finally(() => {
      over.abort();
      for (const left of [told, ended]) left.catch(() => undefined);
    });
    if ("error" in answer) throw new Error(`${this.engine.name}: ${answer.error}`);
    return answer.answer;
  }
}
