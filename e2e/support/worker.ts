import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../../lib/env";
import { serverEnvironment } from "./server";

const environment = await serverEnvironment();
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface LaunchedWorker {
  /** As Ctrl-C does: what it works on is handed back. */
  stop(): Promise<void>;
}

/** `npm run worker` beside the demo, on its database. */
export function launchWorker({ concurrency }: { concurrency: number }): LaunchedWorker {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/run.ts", "worker"], {
    cwd: ROOT,
    env: environmentWith({ ...environment, HANDRAIL_DEMO: "on", HANDRAIL_CONCURRENCY: String(concurrency) }),
    stdio: ["ignore", "ignore", "inherit"],
  });
  return {
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      await exit;
    },
  };
}
