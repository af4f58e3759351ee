import path from "node:path";
import { readEnv } from "../../lib/env";
import { loadApp } from "../../load-app";
import { startEmbeddedPostgres } from "../postgres/embedded";
import { migrateDemo } from "../postgres/migrate-demo";
import type { Home } from "./home";

/** The database of DATABASE_URL, or the embedded one, which is started for the work. @throws EnvError */
export function homeOfRepository(): Home {
  const env = readEnv();
  const { databaseUrl, directUrl = databaseUrl } = env;
  return {
    env,
    standby: env.standby,
    migrateCommand: "npm run migrate",
    async onDatabase(work) {
      if (databaseUrl && directUrl) return work({ databaseUrl, directUrl });
      const server = await startEmbeddedPostgres({ dir: path.join(env.dataDir, "postgres") });
      return work({ databaseUrl: server.url(), directUrl: server.url() }).finally(server.stop);
    },
    checkTables: async () => undefined,
    migrateMore: async (address) => (env.demo ? (await migrateDemo(address)).applied : []),
    loadApp,
  };
}
