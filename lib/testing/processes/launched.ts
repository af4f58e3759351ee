import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { freePort } from "../../../scripts/ports";
import { removeEmbeddedPostgres } from "../../../scripts/postgres/embedded";
import { isAlive } from "../../../scripts/postgres/run";
import { environmentWith } from "../../env";
import { folderOfScratch } from "../setup/folder-of-scratch";
import { until } from "../until";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** `root`: the project's folder; default: here. */
export type Place = { data: string; port: number; env: Record<string, string>; root?: string };

/**
 * A folder for an embedded database, and a port for a console. At the test's end, its remaining processes are killed.
 */
export async function aPlace(settings: Record<string, string> = {}): Promise<Place> {
  const data = await mkdtemp(join(await folderOfScratch(), "handrail-launched-"));
  await chmod(data, 0o755); // as root, PostgreSQL runs as another user, who needs access
  const port = await freePort();
  onTestFinished(async () => {
    for (const { pid } of processesOf(data)) kill(pid, "SIGKILL");
    await until("The end of all that ran there", () => processesOf(data).length === 0);
    await removeEmbeddedPostgres(join(data, "postgres"));
    await rm(data, { recursive: true, force: true });
  });
  return { data, port, env: { HANDRAIL_DATA: data, PORT: String(port), ...settings } };
}

/** A launcher as people start it: by npm, in a separate process group, as a shell does. */
export class Launched {
  private text = "";
  private constructor(private readonly process: ChildProcess) {
    for (const stream of [process.stdout, process.stderr]) stream?.on("data", (chunk) => (this.text += chunk));
  }

  /** @param before a program that starts npm, with its arguments */
  static npm(script: "demo" | "migrate" | "start" | "worker", { env, root }: Place, before: string[] = []): Launched {
    const [program = "npm", ...args] = [...before, "npm", "run", script];
    const options = { cwd: root ?? ROOT, env: environmentWith(env), detached: true };
    return new Launched(spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }));
  }

  /** A process of node's, as a container or a unit starts it. */
  static node(words: readonly string[], { env, root }: Place, before: readonly string[] = []): Launched {
    const [program = process.execPath, ...args] = [...before, process.execPath, ...words];
    const options = { cwd: root ?? ROOT, env: environmentWith(env), detached: true };
    return new Launched(spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }));
  }

  get pid(): number {
    return this.process.pid as number;
  }

  /** Everything so far. */
  get said(): string {
    return this.text;
  }

  /** How often it said this. */
  count(words: string): number {
    return this.text.split(words).length - 1;
  }

  untilSaid(words: string, times = 1): Promise<unknown> {
    return until(`"${words}" (${times} times) after:\n${this.text}`, () => {
      if (this.count(words) >= times) return true;
      if (this.process.exitCode !== null) throw new Error(`It ended without "${words}":\n${this.text}`);
      return false;
    }).catch((error: Error) => {
      throw new Error(`${error.message}\nIt said:\n${this.text}`);
    });
  }

  async untilEnded(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, "exit");
    return this.process.exitCode;
  }
}

/** On a usual machine, a killed process is replaced within this time (docs/operating.md). */
const BACK_WITHIN_MS = 5_000;
/** A busy CI machine may be this many times slower. */
const SLOWER = 4;

/** Prints how long it takes. @param back resolves when it is there again */
export async function expectBackSoon(what: string, back: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await back();
  const tookMs = Math.round(performance.now() - began);
  console.info(`${what}: back after ${tookMs} ms`);
  expect(tookMs).toBeLessThan(SLOWER * BACK_WITHIN_MS);
}

type Found = { pid: number; command: string };

/** Every process that was started for this folder, found by its command or its environment. Linux. */
export function processesOf(data: string): Found[] {
  const found: Found[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!pid || pid === process.pid) continue;
    const [command, environment] = ["cmdline", "environ"].map((file) => read(`/proc/${pid}/${file}`));
    if (command && (command.includes(data) || environment?.includes(data))) found.push({ pid, command });
  }
  return found;
}

/** The one process of the folder whose command contains this. */
export function processOf(data: string, words: string): number {
  const found = processesOf(data).filter(({ command }) => command.includes(words));
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} processes have "${words}" in their command.`);
  return found[0].pid;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // it has ended, or belongs to another user
  }
}

/** The process has ended if there is none any more. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  if (isAlive(pid)) process.kill(pid, signal);
}
