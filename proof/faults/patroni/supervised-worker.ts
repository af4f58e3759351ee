import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../../../lib/env";
import { TEST_AUDIT_KEY } from "../../../lib/testing/audit-keys";
import { until } from "../../../lib/testing/until";
import { Pauses } from "../../../scripts/launch/pauses";
import { freePort } from "../../../scripts/ports";

const SCRIPT = fileURLToPath(new URL("worker.ts", import.meta.url));

/** A worker's process as it is deployed: whenever it ends, it is started again, after the pauses of `npm start`. */
export class SupervisedWorker {
  /** How often it ended by itself. */
  ends = 0;
  private stopped = false;
  private process: ChildProcess | undefined;
  private readonly kept: Promise<void>;

  private constructor(
    private readonly databaseUrl: string,
    private readonly leaseMs: number,
    private readonly port: number,
  ) {
    this.kept = this.keepRunning();
  }

  static async start(databaseUrl: string, leaseMs: number): Promise<SupervisedWorker> {
    const worker = new SupervisedWorker(databaseUrl, leaseMs, await freePort());
    const ready = () =>
      fetch(`http://127.0.0.1:${worker.port}/api/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until("The worker's readiness", async () => (await ready()) || delay(50, false), 60_000);
    return worker;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.process?.kill("SIGKILL");
    await this.kept;
  }

  private async keepRunning(): Promise<void> {
    for (const pauses = new Pauses(); !this.stopped; this.ends++) {
      const since = performance.now();
      this.process = this.spawn();
      await once(this.process, "exit");
      if (!this.stopped) await delay(pauses.next(performance.now() - since));
    }
  }

  private spawn(): ChildProcess {
    return spawn(process.execPath, ["--import", "tsx", SCRIPT], {
      env: environmentWith({
        DATABASE_URL: this.databaseUrl,
        HANDRAIL_AUDIT_KEY: TEST_AUDIT_KEY,
        HANDRAIL_LEASE_MS: String(this.leaseMs),
        HANDRAIL_WORKER_PORT: String(this.port),
        HANDRAIL_CONCURRENCY: "20",
        HANDRAIL_LOG: "silent",
      }),
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
}
