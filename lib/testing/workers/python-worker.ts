import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isStopped } from "../processes/is-stopped";
import { until } from "../until";

/** Whether this machine has the example's prerequisites. */
export const hasPython = spawnSync("python3", ["--version"]).status === 0;

const CLIENT = fileURLToPath(new URL("../../../clients/python", import.meta.url));

/** One that can build wheels, of those that a machine may have. */
export const wheelBuilder = ["python3", "/usr/bin/python3"].find(
  (one) => spawnSync(one, ["-c", "import setuptools, wheel"]).status === 0,
);

/** The wheel of the package for Python, built in the folder. Python imports from it as it is. */
export async function buildWheel(folder: string): Promise<string> {
  const source = path.join(folder, "source");
  await cp(CLIENT, source, { recursive: true });
  const build = `import setuptools.build_meta as backend; backend.build_wheel(${JSON.stringify(folder)})`;
  await promisify(execFile)(wheelBuilder as string, ["-c", build], { cwd: source });
  return path.join(folder, "handrail-0.1.0-py3-none-any.whl");
}

export interface PythonSetup {
  url: string;
  /** Where its workflow records its external effects. */
  journal: string;
  leaseMs?: number;
  /** A point of its protocol, such as `before steps/archive/outcome`, and the signal: SIGKILL by default. */
  fault?: { point: string; signal?: "SIGKILL" | "SIGSTOP" };
}

const WORKER = fileURLToPath(new URL("./faulty_worker.py", import.meta.url));

/** The example's worker, in a separate process. */
export class PythonWorker {
  private constructor(private readonly process: ChildProcess) {}

  static spawn({ url, journal, leaseMs = 2_000, fault }: PythonSetup): PythonWorker {
    const env = {
      ...process.env,
      HANDRAIL_URL: url,
      HANDRAIL_LEASE_MS: String(leaseMs),
      JOURNAL: journal,
      ...(fault && { HANDRAIL_TEST_FAULT: JSON.stringify(fault) }),
    };
    return new PythonWorker(spawn("python3", [WORKER], { stdio: ["ignore", "inherit", "inherit"], env }));
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  async untilEnded(): Promise<string | number | null> {
    await until("The end of the Python worker", () => this.hasEnded);
    return this.process.signalCode ?? this.process.exitCode;
  }

  untilStopped(): Promise<unknown> {
    return until("The stop of the Python worker", () => {
      if (this.hasEnded) throw new Error(`It ended with ${this.process.signalCode ?? this.process.exitCode}.`);
      return isStopped(this.process.pid as number);
    });
  }

  goOn(): void {
    this.process.kill("SIGCONT");
  }

  async kill(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await ended;
  }
}

/** The external effects of all workers, in order. */
export function entriesIn(journal: string): { what: string; key: string; text: string }[] {
  if (!existsSync(journal)) return [];
  const lines = readFileSync(journal, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}
