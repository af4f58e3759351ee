import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { environmentWith } from "../../env";
import { compiled } from "../processes/compiled";
import { until } from "../until";

export interface Ended {
  /** The exit code; null after a signal. */
  code: number | null;
  out: string;
  err: string;
}

interface Setting {
  env?: Record<string, string>;
  stdin?: string;
}

/** The command line as Node starts it: the real program, compiled once. */
export const handrailWords = (): string[] => [process.execPath, ...compiled("cli/main.ts")];

/** `handrail ARGS` with pipes for a terminal, until it ends. */
export function handrail(args: readonly string[], setting: Setting = {}): Promise<Ended> {
  return ended(run([...handrailWords(), ...args], setting));
}

/** A line for bash, in which `$HANDRAIL` is the program. */
export function inBash(line: string, { env = {}, stdin }: Setting = {}): Promise<Ended> {
  const started = run(["bash", "-c", line], { env: { ...env, HANDRAIL: handrailWords().join(" ") }, stdin });
  return ended(started);
}

const SCRIPT = "/usr/bin/script";
/** util-linux has a `script` that runs a command on a terminal. */
export const hasTerminal = existsSync(SCRIPT) && process.platform === "linux";

/**
 * A line for bash on a real terminal of 100 columns, in which `$HANDRAIL` is the program.
 * @param answers what is typed once the text before it has appeared
 */
export async function onTerminal(
  line: string,
  answers: readonly (readonly [after: string, typed: string])[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const words = [SCRIPT, "-qec", `bash -c 'stty cols 100; ${line}'`, "/dev/null"];
  const settings = { TERM: "xterm", NO_COLOR: "", ...env, HANDRAIL: handrailWords().join(" ") };
  const started = run(words, { env: settings, keepsStdin: true });
  const end = ended(started);
  let seen = 0;
  for (const [after, typed] of answers) {
    seen = await until(`"${after}" on the terminal`, () => {
      const at = started.out.indexOf(after, seen);
      return at >= 0 && at + after.length;
    });
    started.child.stdin?.write(typed);
  }
  return end;
}

interface Running {
  child: ChildProcess;
  out: string;
  err: string;
}

function run([program = "", ...args]: string[], { env = {}, stdin, keepsStdin }: Setting & { keepsStdin?: boolean }) {
  const child = spawn(program, args, { env: environmentWith(env), stdio: "pipe" });
  const running: Running = { child, out: "", err: "" };
  child.stdout.on("data", (chunk) => (running.out += chunk));
  child.stderr.on("data", (chunk) => (running.err += chunk));
  child.stdin.on("error", () => undefined);
  if (!keepsStdin) child.stdin.end(stdin);
  return running;
}

const ended = (running: Running): Promise<Ended> =>
  new Promise((resolve, reject) => {
    running.child.on("error", reject);
    running.child.on("close", (code) => resolve({ code, out: running.out, err: running.err }));
  });
