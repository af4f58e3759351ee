import { createRequire } from "node:module";
import type { Command } from "commander";
import type { App } from "../../lib/app";
import { beginAsApp, readEnvFile } from "../../lib/env-of-app";
import { serving } from "../session/act";
import { CONFIG_OPTION } from "./config/option";
import type { WorkerReport } from "./dev/worker-process";

const STOPS = ["SIGTERM", "SIGINT"] as const;
/** Nothing has begun: there is nothing to hand back. As process 1 of a container, Node alone would ignore the signal. */
const stopAtOnce = () => process.exit(0);

/** `handrail worker`: runs the workflows of the app in this folder. */
export function addWorker(program: Command): void {
  program
    .command("worker")
    .description("run the workflows of handrail.config.ts on the database of DATABASE_URL, until it is stopped")
    .addOption(CONFIG_OPTION())
    .action(serving((_screen, { config }: { config?: string }) => work(config)));
}

async function work(config?: string): Promise<void> {
  for (const signal of STOPS) process.on(signal, stopAtOnce);
  const folder = process.cwd();
  readEnvFile(folder);
  const [{ findConfig }, { loadConfig }, { checkDatabase }, { runWorker }] = await Promise.all([
    import("./config/find-config"),
    import("./config/load-config"),
    import("./config/check-database"),
    import("../../lib/worker/main"),
  ]);
  const app = await loadConfig(findConfig(folder, config));
  await checkDatabase(app);
  for (const signal of STOPS) process.off(signal, stopAtOnce);
  await beginAsApp(app, () => runWorker(app));
  tellParent(app);
}

/** For `handrail dev`, which has started this process: it reloads when one of these files is saved. */
function tellParent({ workflows }: App): void {
  const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => !file.includes("node_modules"));
  process.send?.({ loaded, workflows: workflows.map(({ name }) => name) } satisfies WorkerReport);
}
