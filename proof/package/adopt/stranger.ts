import { spawn } from "node:child_process";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { kill, processesOf } from "../../../lib/testing/processes/launched";
import { until } from "../../../lib/testing/until";
import { ROOT } from "../../../scripts/pack/tarball";

/** What npm, Vitest and the settings of this repository leave in the environment. */
const NOT_A_STRANGERS =
  /^(npm_|INIT_CWD$|NODE_|VITEST|TEST|DATABASE_|HANDRAIL_|CI$|PORT$|HOST$|NO_COLOR$|FORCE_COLOR$)/;

/** The environment of somebody who has never seen this repository. */
export function strangersEnv(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !NOT_A_STRANGERS.test(name));
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => !folder.startsWith(ROOT));
  const env: Record<string, string | undefined> = {
    ...Object.fromEntries(kept),
    PATH: folders.join(path.delimiter),
    NEXT_TELEMETRY_DISABLED: "1",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
    ...more,
  };
  return env as NodeJS.ProcessEnv; // NODE_ENV is not set
}

interface Setting {
  cwd: string;
  env?: Record<string, string>;
}

/**
 * A line in a shell, until it ends.
 * @returns what it said
 * @throws with what it said, unless it ends with 0
 */
export function sh(line: string, { cwd, env }: Setting): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", line], { cwd, env: strangersEnv(env), stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
    child.on("error", reject);
    child.on("close", (code, signal) =>
      code === 0 ? resolve(said) : reject(new Error(`\`${line}\` ended with ${code ?? signal}:\n${said}`)),
    );
  });
}

/** A line on a terminal, which stays: what it says, and keys that are typed. */
export class OnTerminal {
  private text = "";
  private readonly child;

  constructor(
    private readonly line: string,
    private readonly setting: Setting,
  ) {
    const command = `bash -c 'stty cols 160; exec ${line}'`;
    this.child = spawn("script", ["-qec", command, "/dev/null"], {
      cwd: setting.cwd,
      env: strangersEnv({ TERM: "xterm", ...setting.env }),
      stdio: "pipe",
    });
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on("data", (text) => (this.text += text));
  }

  /** Without colours. */
  get said(): string {
    return stripVTControlCharacters(this.text).replaceAll("\r\n", "\n");
  }

  /** @returns the first match behind `from`, which is a place in `said` */
  async untilSaid(words: RegExp, from = 0): Promise<RegExpExecArray> {
    try {
      return await until(
        `${words}`,
        () => {
          const found = words.exec(this.said.slice(from));
          if (!found && this.child.exitCode !== null) throw new Error("It ended.");
          return found;
        },
        LONG_MS,
      );
    } catch (error) {
      throw new Error(`\`${this.line}\`: ${(error as Error).message} It said:\n${this.said}`);
    }
  }

  type(keys: string): void {
    this.child.stdin.write(keys);
  }

  /**
   * Ctrl-C. Resolves when all that it has started has ended as well.
   * @throws where it ended in another way than in order
   */
  async interrupt(): Promise<void> {
    this.type("\u0003");
    await until("The end of the terminal", () => this.child.exitCode !== null || this.child.signalCode !== null);
    await this.untilNothingRuns();
    const { exitCode, signalCode } = this.child;
    // npx answers Ctrl-C itself.
    if ((exitCode !== 0 && exitCode !== INTERRUPTED) || !/stopping/i.test(this.said))
      throw new Error(`\`${this.line}\` ended with ${exitCode ?? signalCode}:\n${this.said}`);
  }

  /** kill -9 of everything in its folder. */
  async killAll(): Promise<void> {
    this.child.kill("SIGKILL");
    for (const { pid } of processesOf(this.setting.cwd)) kill(pid, "SIGKILL");
    await this.untilNothingRuns();
  }

  private async untilNothingRuns(): Promise<void> {
    await until("The end of all that it has started", () => processesOf(this.setting.cwd).length === 0);
  }
}

/** As shells report the end by SIGINT. */
const INTERRUPTED = 130;
/** Longer than a busy machine takes to bring a PostgreSQL. */
const LONG_MS = 120_000;
