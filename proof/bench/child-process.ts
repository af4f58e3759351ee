import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Told {
  at: number;
  runId?: string;
  attempt?: number;
  passMs?: number;
}

/** A worker process of the bench, and the messages of its steps in order. */
export class ChildWorker {
  private readonly told: Told[] = [];
  private heard: (() => void) | undefined;

  private constructor(private readonly child: ChildProcess) {
    child.on("message", (message) => {
      if (message === "ready") return;
      this.told.push(message as Told);
      this.heard?.();
    });
  }

  static async start(databaseUrl: string, env: Record<string, string> = {}): Promise<ChildWorker> {
    const script = fileURLToPath(new URL("child.ts", import.meta.url));
    const child = spawn(process.execPath, ["--max-semi-space-size=32", "--import", "tsx", script, databaseUrl], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const worker = new ChildWorker(child);
    await once(child, "message");
    return worker;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  async nextTold(): Promise<Told> {
    for (;;) {
      const first = this.told.shift();
      if (first) return first;
      await new Promise<void>((resolve) => {
        this.heard = resolve;
      });
    }
  }

  /** Stops the process (alive, but silent). */
  freeze(): void {
    this.child.kill("SIGSTOP");
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "exit");
  }
}
