import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { FaultPoint } from "../../worker/fault-points";
import type { TestDatabase } from "../database/database";
import { until } from "../until";
import { compiled } from "./compiled";
import { isStopped } from "./is-stopped";

/** Where a child ends, or stops: at the nth passage of a fault point, counted over all runs of the child. */
export interface Fault {
  point: FaultPoint;
  /** Counts only passages with this detail, such as the name of a step. */
  detail?: string;
  /** Default 1. */
  passage?: number;
  /** Default SIGKILL. */
  signal?: "SIGKILL" | "SIGSTOP";
}

/** A child's settings, as JSON in its environment. */
export interface ChildOrders {
  databaseUrl: string;
  /** Default: the same. */
  directUrl?: string;
  leaseMs: number;
  /** Path of the module that exports `workflows`. */
  workflows: string;
  concurrency: number;
  /** The folder of the migrations that it knows; absent: it accepts any schema. */
  migrations?: string;
  fault?: Fault;
  /** Origins on this machine that webhooks may lead to. */
  internalReceivers?: readonly string[];
}

/** A console's settings, likewise. */
export interface ConsoleOrders extends Pick<ChildOrders, "workflows" | "fault"> {
  diesAtCommit?: CommitMoment;
  /** Default: a free one. */
  port?: number;
}

/** Before the commit is sent, or when it is acknowledged but not yet reported. */
export type CommitMoment = "before" | "after";

export interface ChildSetup {
  leaseMs?: number;
  /** The folder of the migrations that a worker knows. Default: it accepts any schema. */
  migrations?: string;
  /** Of a worker. Default 20. */
  concurrency?: number;
  /** Default: the sample workflows. */
  workflows?: string;
  fault?: Fault;
  /** Default: the database's own address. */
  directUrl?: string;
  /** Added to the environment, such as the address of the sandbox. */
  env?: Record<string, string>;
  /** Origins on this machine that webhooks may lead to. */
  internalReceivers?: readonly string[];
}

const scriptOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const SAMPLES = scriptOf("../../../demo/workflows/index.ts");

/** A process of a test, which ends with it. */
class Child {
  protected readonly said: unknown[] = [];
  private readonly process: ChildProcess;

  protected constructor(script: string, orders: object, env: Record<string, string> = {}) {
    this.process = spawn(process.execPath, [script], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: { ...process.env, ...env, HANDRAIL_TEST_ORDERS: JSON.stringify(orders) },
    });
    this.process.on("message", (message) => this.said.push(message));
  }

  get pid(): number {
    return this.process.pid as number;
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Stopped by SIGSTOP, from its fault or the test. */
  untilStopped(): Promise<unknown> {
    return until("The child's stop", async () => {
      if (this.hasEnded) throw new Error(`The child ended with ${this.process.signalCode ?? this.process.exitCode}.`);
      return isStopped(this.pid);
    });
  }

  /** Resolves with the signal that ended it, or its exit code. */
  async untilEnded(): Promise<string | number | null> {
    await until("The child's end", () => this.hasEnded);
    return this.process.signalCode ?? this.process.exitCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  /** Ends it at once if it still lives. */
  async kill(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await ended;
  }
}

/** A worker in a separate process. */
export class ChildWorker extends Child {
  static spawn({ url }: Pick<TestDatabase, "url">, setup: ChildSetup = {}): ChildWorker {
    const {
      leaseMs = 1_000,
      workflows = SAMPLES,
      concurrency = 20,
      migrations,
      fault,
      directUrl,
      env,
      internalReceivers,
    } = setup;
    const [script, module] = compiled(scriptOf("./child-worker.ts"), workflows) as [string, string];
    const orders: ChildOrders = {
      databaseUrl: url,
      leaseMs,
      workflows: module,
      concurrency,
      ...(migrations && { migrations }),
      ...(directUrl && { directUrl }),
      ...(fault && { fault }),
      ...(internalReceivers && { internalReceivers }),
    };
    return new ChildWorker(script, orders, env);
  }

  untilReady(): Promise<unknown> {
    return until("The child's readiness", () => this.said.includes("ready") || this.hasEnded);
  }
}

/** A console, that is its API, in a separate process. */
export class ChildConsole extends Child {
  static async spawn(
    { url }: Pick<TestDatabase, "url">,
    setup: Pick<ChildSetup, "fault" | "leaseMs" | "workflows" | "directUrl" | "env"> &
      Pick<ConsoleOrders, "diesAtCommit" | "port"> = {},
  ): Promise<ChildConsole> {
    const { fault, diesAtCommit, port, leaseMs = 1_000, workflows = SAMPLES, directUrl = url } = setup;
    const addresses = { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl };
    const env = { ...addresses, HANDRAIL_LEASE_MS: `${leaseMs}`, HANDRAIL_LOG: "silent", ...setup.env };
    const [script, module] = compiled(scriptOf("./child-console.ts"), workflows);
    const orders: ConsoleOrders = {
      workflows: module as string,
      ...(fault && { fault }),
      ...(diesAtCommit && { diesAtCommit }),
      ...(port && { port }),
    };
    const child = new ChildConsole(script as string, orders, env);
    await until("The console's readiness", () => child.said.length > 0 || child.hasEnded);
    return child;
  }

  /** The base of the API's paths. */
  get url(): string {
    const [{ port }] = this.said as [{ port: number }];
    return `http://127.0.0.1:${port}/api`;
  }

  /** Rejects when the process dies meanwhile. `key`: the request's Idempotency-Key. */
  post(path: string, body: object, key?: string): Promise<{ status: number; body: unknown }> {
    return this.send("POST", path, body, key);
  }

  /** As `post`. */
  async send(
    method: "POST" | "PUT",
    path: string,
    body: object,
    key?: string,
  ): Promise<{ status: number; body: unknown }> {
    const response = await fetch(this.url + path, {
      method,
      body: JSON.stringify(body),
      headers: key === undefined ? {} : { "idempotency-key": key },
    });
    return { status: response.status, body: await response.json() };
  }
}
