import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../../lib/env";
import { isStopped } from "../../lib/testing/processes/is-stopped";
import { until } from "../../lib/testing/until";
import type { Answer, Command, Report } from "./protocol";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** How the driver of each client is started. A third client is one more row. */
export const DRIVERS = {
  "handrail/client and handrail/http-worker": {
    command: [process.execPath, "--import", "tsx", "proof/conformance/drivers/typescript.ts"],
    env: {},
  },
  "the Python package": {
    command: ["python3", "proof/conformance/drivers/python.py"],
    env: { PYTHONPATH: path.join(ROOT, "clients/python/src"), PYTHONDONTWRITEBYTECODE: "1" },
  },
} as const;
export type DriverName = keyof typeof DRIVERS;

/** What a client refused, by its code. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}

/** A driver's process. */
export class Driver {
  /** Every body that it has begun, in order. */
  readonly reports: Report[] = [];
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private readonly ended: Promise<never>;
  private asked = 0;

  constructor(name: DriverName, url: string) {
    const { command, env } = DRIVERS[name];
    const [program, ...args] = command;
    const stdio: ["pipe", "pipe", "inherit"] = ["pipe", "pipe", "inherit"];
    this.child = spawn(program, [...args, url], { cwd: ROOT, stdio, env: environmentWith(env) });
    this.ended = once(this.child, "exit").then(() => Promise.reject(new Error("The driver's process has ended.")));
    this.ended.catch(() => undefined);
    if (this.child.stdout) createInterface({ input: this.child.stdout }).on("line", (line) => this.hear(line));
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private hear(line: string): void {
    const said: Answer | Report = JSON.parse(line);
    if ("body" in said) this.reports.push(said);
    else this.waiting.get(said.id)?.(said);
  }

  /** @throws Refused with the code of the client's error */
  async do(command: Command): Promise<unknown> {
    const id = ++this.asked;
    const answered = new Promise<Answer>((done) => this.waiting.set(id, done));
    this.child.stdin?.write(`${JSON.stringify({ id, ...command })}\n`);
    const answer = await Promise.race([answered, this.ended]);
    if ("error" in answer) throw new Refused(answer.error, answer.message);
    return answer.ok;
  }

  calls(step: string): Report[] {
    return this.reports.filter(({ body, undo }) => body === step && !undo);
  }

  untilCalled(step: string, times = 1): Promise<unknown> {
    return until(`Call ${times} of ${step}`, () => this.calls(step).length >= times);
  }

  async untilEnded(): Promise<void> {
    await until("The end of the driver", () => this.hasEnded);
  }

  /** Silent, with its sockets open and answers unread, until it is thawed. */
  async freeze(): Promise<void> {
    this.child.kill("SIGSTOP");
    await until("The stop of the driver", () => isStopped(this.child.pid as number));
  }

  thaw(): void {
    this.child.kill("SIGCONT");
  }

  async kill(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }
}
