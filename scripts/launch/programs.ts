import path from "node:path";
import type { Env } from "../../lib/env";
import type { Mode } from "./arguments";
import { NEXT } from "./build";
import type { Child } from "./child";
import { ROOT, startChild } from "./children";

const TSX_WATCH = [path.join(ROOT, "node_modules/tsx/dist/cli.mjs"), "watch", "--clear-screen=false"];

/** What every child gets beside our own environment: the settled values, so that none reads them differently. */
export function childEnvironment(env: Env, mode: Mode, databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    HANDRAIL_DATA: env.dataDir,
    HANDRAIL_DEMO: env.demo || mode === "demo" ? "on" : "off",
    HANDRAIL_SIGN_IN: env.signIn || mode === "demo" ? "on" : "off",
    NEXT_TELEMETRY_DISABLED: "1",
    NEXT_MANUAL_SIG_HANDLE: "true", // the console closes what it opened before it exits: lib/instrumentation-node.ts
  };
}

export function startSandbox(env: Record<string, string>): Child {
  return startChild("sandbox", { args: ["--import", "tsx", "demo/sandbox/main.ts"], env, output: "errors" });
}

export function startConsole({ host, port }: Env, mode: Mode, env: Record<string, string>): Child {
  const next = mode === "dev" ? "dev" : "start";
  const args = [NEXT, next, "--hostname", host, "--port", String(port)];
  return startChild("console", { args, env, output: mode === "dev" ? "shown" : "errors" });
}

/**
 * Room for a worker's garbage before it is collected, in megabytes. Node's default collects so often that a busy worker
 * spends a fifth of its time on it (`npm run bench throughput` runs with the same).
 */
const YOUNG_GENERATION_MB = 32;

export function startWorker(mode: Mode, env: Record<string, string>): Child {
  const runner = mode === "dev" ? TSX_WATCH : [`--max-semi-space-size=${YOUNG_GENERATION_MB}`, "--import", "tsx"];
  return startChild("worker", { args: [...runner, "scripts/worker.ts"], env, output: "shown" });
}

/** Puts the guided outage into the database; does nothing where it is already. */
export function startSeed(env: Record<string, string>): Child {
  return startChild("seed", { args: ["--import", "tsx", "demo/seed.ts"], env, output: "kept" });
}
