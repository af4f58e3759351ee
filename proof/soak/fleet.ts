import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../../lib/env";
import { TEST_AUDIT_KEY } from "../../lib/testing/audit-keys";
import { until } from "../../lib/testing/until";
import { freePort } from "../../scripts/ports";
import type { Random } from "../faults/random";
import type { Plan } from "./plan";
import type { WorkerOrders } from "./workflows";

/** As many as this keeps two cores busy beside the server. */
const WORKERS = 2;
const SCRIPT = fileURLToPath(new URL("worker.ts", import.meta.url));
const LONGEST_START_MS = 120_000;
const BEFORE_A_RESTART_MS = 1_000;

/** A worker's process that takes runs. */
export interface SoakWorker {
  pid: number;
  version: number;
  metricsUrl: string;
  /** By performance.now(). */
  startedAt: number;
  hasEnded(): boolean;
  /** Resolves when the process is gone. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

/** The workers of a soak: killed and replaced, and replaced by a next version, as a supervisor and a deploy do. */
export class Fleet {
  private version = 1;
  private alive: SoakWorker[] = [];
  private closed = false;
  kills = 0;
  deploys = 0;
  /** That ended by themselves, such as after a lost lease. */
  restarts = 0;

  constructor(
    private readonly databaseUrl: string,
    private readonly plan: Plan,
    private readonly random: Random,
  ) {}

  get workers(): readonly SoakWorker[] {
    return this.alive.filter((worker) => !worker.hasEnded());
  }

  /** Of new runs: the latest version that has workers. */
  get currentVersion(): number {
    return this.version;
  }

  async start(): Promise<void> {
    this.alive = await Promise.all(Array.from({ length: WORKERS }, () => this.spawn()));
  }

  /** SIGKILLs one; another process takes its place. */
  async kill(): Promise<void> {
    const { workers } = this;
    if (workers.length === 0) return;
    const victim = this.random.pick(workers);
    await victim.end("SIGKILL");
    this.kills++;
    await this.replace(victim);
  }

  /** Workers of the next version start, and then the old ones are stopped. */
  async deploy(): Promise<void> {
    const old = this.workers;
    const next = await Promise.all(Array.from({ length: WORKERS }, () => this.spawn(this.version + 1)));
    this.version++;
    this.alive = [...old, ...next];
    await Promise.all(old.map((worker) => worker.end("SIGTERM")));
    this.alive = next;
    this.deploys++;
  }

  async supervise(): Promise<void> {
    for (const gone of this.alive.filter((worker) => worker.hasEnded())) {
      this.restarts++;
      await delay(BEFORE_A_RESTART_MS);
      await this.replace(gone);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.workers.map((worker) => worker.end("SIGTERM")));
  }

  private async replace(gone: SoakWorker): Promise<void> {
    this.alive = this.alive.filter((worker) => worker !== gone);
    const next = await this.spawn();
    if (this.closed) await next.end("SIGKILL");
    else this.alive.push(next);
  }

  private async spawn(version = this.version): Promise<SoakWorker> {
    const { retentionMs, versionWaitMs } = this.plan;
    const port = await freePort();
    const child = spawn(process.execPath, ["--import", "tsx", SCRIPT], {
      env: environmentWith({
        DATABASE_URL: this.databaseUrl,
        HANDRAIL_AUDIT_KEY: TEST_AUDIT_KEY,
        HANDRAIL_WORKER_PORT: String(port),
        HANDRAIL_VERSION_WAIT_MS: String(versionWaitMs),
        HANDRAIL_BUILD: `soak-${version}`,
        HANDRAIL_LOG: "error",
        SOAK_ORDERS: JSON.stringify({ version, retentionMs } satisfies WorkerOrders),
      }),
      stdio: ["ignore", "inherit", "inherit"],
    });
    const worker = workerOf(child, port, version);
    try {
      await untilReady(child, port);
    } catch (error) {
      await worker.end("SIGKILL");
      throw error;
    }
    return worker;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

const untilReady = (child: ChildProcess, port: number) =>
  until(
    "The start of a worker",
    async () => {
      if (hasEnded(child)) throw new Error(`A worker ended at its start with ${child.signalCode ?? child.exitCode}.`);
      const answer = await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => undefined);
      await delay(20);
      return answer?.ok;
    },
    LONGEST_START_MS,
  );

const workerOf = (child: ChildProcess, port: number, version: number): SoakWorker => ({
  pid: child.pid as number,
  version,
  metricsUrl: `http://127.0.0.1:${port}/metrics`,
  startedAt: performance.now(),
  hasEnded: () => hasEnded(child),
  async end(signal) {
    if (hasEnded(child)) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  },
});
