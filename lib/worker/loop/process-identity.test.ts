import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { ProcessIdentity } from "../../store/workers/workers";
import { until } from "../../testing/until";
import { identifyProcess, isGone, parseStat } from "./process-identity";

const FIELDS_4_TO_21 = "1 100 100 0 -1 4194304 99 0 0 0 11 12 0 0 20 0 1 0";
const statOf = (name: string, state = "S") => `4711 (${name}) ${state} ${FIELDS_4_TO_21} 1175604 3133440 358 184\n`;

describe("the line of /proc/<pid>/stat", () => {
  it.each(["node", "tmux: server", "a) Z 1 (b", "((sd-pam))", ")", "", "two\nlines"])(
    "gives pid, state and start of a process named %j",
    (name) => {
      expect(parseStat(statOf(name))).toEqual({ pid: 4711, state: "S", start: 1175604 });
    },
  );

  it.each(["", "4711", "4711 (node) S 1 2 3", "4711 (node", "x (node) S 1"])("is not %j", (text) => {
    expect(parseStat(text)).toBeUndefined();
  });
});

const statFor = async (pid: number) => parseStat(await readFile(`/proc/${pid}/stat`, "utf8"));

const nameOf = async (pid: number) => (await readFile(`/proc/${pid}/comm`, "utf8")).trim();

const me = identifyProcess() as ProcessIdentity;

describe.skipIf(process.platform !== "linux")("a process on this machine", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  const other = (pid: number, start = me.start): ProcessIdentity => ({ ...me, pid, start });

  const shell = (script: string) => {
    const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
    children.push(child);
    return child as ChildProcess & { pid: number; stdout: NonNullable<ChildProcess["stdout"]> };
  };

  it("is known by boot, namespaces, pid and start", () => {
    expect(me).toEqual(identifyProcess());
    expect(me).toMatchObject({
      pid: process.pid,
      host: expect.stringMatching(/^[0-9a-f-]{36} pid:\[\d+\] time:\[\d+\]$/),
    });
  });

  it("is not gone while it runs", () => {
    expect(isGone(me)).toBe(false);
  });

  it("is gone when another process has its pid", () => {
    expect(isGone({ ...me, start: me.start - 1 })).toBe(true);
  });

  it("is gone when no process has its pid", async () => {
    const child = shell("exit 0");
    await once(child, "exit");
    expect(isGone(other(child.pid))).toBe(true);
  });

  it("is not gone when it is stopped", async () => {
    const child = shell("exec sleep 600");
    const { start } = await until("Its start", () => statFor(child.pid));
    child.kill("SIGSTOP");
    await until("Its stop", async () => (await statFor(child.pid))?.state === "T");
    expect(isGone(other(child.pid, start))).toBe(false);
  });

  it("is gone when it is a zombie process", async () => {
    const parent = shell("sleep 600 & echo $!; exec sleep 600");
    const [line] = await once(parent.stdout, "data");
    const pid = Number(String(line));
    // A shell that has not become `sleep` yet still waits for its child, and leaves no zombie.
    await until("Its parent's exec", async () => (await nameOf(parent.pid)) === "sleep");
    const { start } = await until("Its start", () => statFor(pid));
    expect(isGone(other(pid, start))).toBe(false);
    process.kill(pid, "SIGKILL");
    await until("Its death", async () => (await statFor(pid))?.state === "Z");
    expect(isGone(other(pid, start))).toBe(true);
  });
});
