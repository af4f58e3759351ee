import { readEnvFile, readEnvOfApp, readStandbyOfConsole } from "../../lib/env-of-app";
import type { Home } from "../../scripts/database/home";
import { checkDatabase, directUrlOf } from "./config/check-database";
import { findConfig } from "./config/find-config";
import { loadConfig } from "./config/load-config";

/** The app in this folder, and the database of DATABASE_URL, also of its `.env`. @throws EnvError */
export function homeOfApp(): Home {
  const folder = process.cwd();
  readEnvFile(folder);
  const env = readEnvOfApp({});
  return {
    env,
    standby: readStandbyOfConsole(),
    migrateCommand: "npx handrail migrate",
    async onDatabase(work) {
      const directUrl = directUrlOf(env);
      return work({ databaseUrl: env.databaseUrl ?? directUrl, directUrl });
    },
    checkTables: () => checkDatabase({ workflows: [] }),
    migrateMore: async () => [],
    loadApp: (config) => loadConfig(findConfig(folder, config)),
  };
}
