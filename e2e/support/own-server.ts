import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../../lib/env";
import { freePort } from "../../scripts/ports";

/** A Handrail of a spec's own, beside the one that all share: with other settings, on its own port, with its own data. */
export interface OwnServer {
  url: string;
  /** What it says at its start, when it has said it. */
  said: (what: RegExp) => Promise<RegExpExecArray>;
  /** SIGKILLs its console, its worker and what had started them, all at once, and starts it again on the same port and data. */
  killAndRestart: () => Promise<void>;
  /** SIGKILLs its console or its worker, which stays away until the function that this returns is called. */
  takeAway: (program: "console" | "worker") => () => void;
  /** The number of its console's or its worker's process. */
  pidOf: (program: "console" | "worker") => number;
  stop: () => Promise<void>;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LONGEST_START_MS = 120_000;

/** @param settings its variables (PORT: a free one that others have to know before), or what they are for the address it will have; `command`: with the demo's data or without */
export async function startOwnServer(
  settings: Record<string, string> | ((url: string) => Promise<Record<string, string>>),
  command: "start" | "demo" = "start",
): Promise<OwnServer> {
  const port = (typeof settings === "object" && settings.PORT) || (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const own = typeof settings === "function" ? await settings(url) : settings;
  const data = mkdtempSync(join(tmpdir(), "handrail-own-"));
  chmodSync(data, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  const env = environmentWith({ PORT: String(port), HANDRAIL_DATA: data, HANDRAIL_WORKER: "off", ...own });
  const start = () => spawn(process.execPath, ["--import", "tsx", "scripts/run.ts", command], { cwd: ROOT, env });
  let child = start();
  let text = heard(child);
  const said = async (what: RegExp) => {
    const deadline = Date.now() + LONGEST_START_MS;
    for (;;) {
      const match = what.exec(text());
      if (match) return match;
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`It did not say ${what}:\n${text()}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const killAndRestart = async () => {
    const ended = once(child, "exit");
    for (const pid of [...childrenOf(child), child.pid as number]) process.kill(pid, "SIGKILL");
    await ended;
    child = start();
    text = heard(child);
  };
  // The launcher would start another one: it is frozen meanwhile.
  const takeAway = (program: keyof typeof PROGRAMS) => {
    const launcher = child.pid as number;
    process.kill(launcher, "SIGSTOP");
    process.kill(programOf(child, program), "SIGKILL");
    return () => void process.kill(launcher, "SIGCONT");
  };
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill("SIGCONT");
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    rmSync(data, { recursive: true, force: true });
  };
  const pidOf = (program: keyof typeof PROGRAMS) => programOf(child, program);
  return { url, said, killAndRestart, takeAway, pidOf, stop };
}

const PROGRAMS = { console: /next-server/, worker: /scripts\/worker\.ts/ };

function programOf({ pid }: ChildProcess, program: keyof typeof PROGRAMS): number {
  const listed = execFileSync("ps", ["-ww", "-o", "pid=,args=", "--ppid", String(pid)], { encoding: "utf8" });
  const line = listed.split("\n").find((one) => PROGRAMS[program].test(one));
  if (!line) throw new Error(`The launcher has no ${program}:\n${listed}`);
  return Number.parseInt(line, 10);
}

/** The console and the worker: each is a process of the launcher's. */
const childrenOf = ({ pid }: ChildProcess): number[] =>
  execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" })
    .trim()
    .split(/\s+/)
    .map(Number);

function heard({ stdout, stderr }: ChildProcess): () => string {
  let text = "";
  for (const stream of [stdout, stderr]) stream?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}
