import { addressesOf, readEnvFile, readEnvOfApp } from "../../../lib/env-of-app";
import { keepRunning } from "../../../scripts/launch/keep-running";
import { launch } from "../../../scripts/launch/launch";
import type { Screen } from "../../output/screen";
import { checkDatabase } from "../config/check-database";
import { findConfig } from "../config/find-config";
import { beginConsole } from "./console-process";
import { startWorker } from "./worker-process";

/** `handrail start`, until a signal asks to stop: a worker and the console, each started again whenever it ends. */
export async function runStart(screen: Screen, given: string | undefined): Promise<void> {
  const folder = process.cwd();
  readEnvFile(folder);
  const config = findConfig(folder, given);
  await checkDatabase({ workflows: [] });
  const env = readEnvOfApp({});
  const { databaseUrl, directUrl } = addressesOf({}, env);
  const childEnv = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: directUrl };
  const work = async (begin: Parameters<Parameters<typeof launch>[0]>[0]) => {
    begin(() => keepRunning(() => startWorker({ folder, config, env: childEnv })));
    await beginConsole(begin, { folder, config, env: childEnv, say: (sentence) => screen.note(sentence) });
    await new Promise(() => undefined);
  };
  await launch(work, { endsWithParent: env.npmScript !== undefined });
}
