import { readEnvFile, readEnvOfApp } from "../../../lib/env-of-app";
import { setUnlessSet } from "../../../lib/env-of-cli";
import { migrate } from "../../../lib/store/migrations/migrate";
import { setSchema } from "../../../lib/store/schema";
import { type Begin, launch } from "../../../scripts/launch/launch";
import type { Screen } from "../../output/screen";
import { findConfig } from "../config/find-config";
import { beginConsole } from "./console-process";
import { databaseOf } from "./database";
import { openFeed } from "./feed";
import { openLinting } from "./linting";
import { keepReloading } from "./reloading";
import { startWorker, type WorkerReport } from "./worker-process";

/** `handrail dev`, until a signal asks to stop: then all that it has started is stopped, the last first. */
export async function runDev(screen: Screen, given: string | undefined): Promise<void> {
  const folder = process.cwd();
  readEnvFile(folder);
  // A person reads: the feed says what runs, and the log what is wrong.
  setUnlessSet({ HANDRAIL_LOG: "warn" });
  const config = findConfig(folder, given);
  const env = readEnvOfApp({});
  setSchema(env.schema);
  await launch((begin, stopping) => serve({ screen, folder, config, env, begin, stopping }), {
    endsWithParent: env.npmScript !== undefined,
  });
}

interface Serving {
  screen: Screen;
  folder: string;
  config: string;
  env: ReturnType<typeof readEnvOfApp>;
  begin: Begin;
  stopping: AbortSignal;
}

async function serve({ screen, folder, config, env, begin, stopping }: Serving): Promise<void> {
  const say = (sentence: string) => screen.line(screen.paint("gray", sentence));
  const database = await databaseOf(env, begin, stopping);
  const { applied } = await migrate(database.directUrl, { say });
  if (applied.length > 0)
    say(`The database got ${applied.length} ${applied.length === 1 ? "migration" : "migrations"}.`);
  say(`Database: ${database.place}`);
  // Not in gray: it is to be copied.
  if (database.announced) screen.line(`DATABASE_URL=${database.announced}`);
  const childEnv = {
    DATABASE_URL: database.databaseUrl,
    DATABASE_DIRECT_URL: database.directUrl,
    HANDRAIL_DATA: env.dataDir,
  };
  const feed = await openFeed(screen, folder, database);
  begin(() => feed);
  const lint = openLinting(screen, folder);
  let loaded: Set<string> | undefined;
  const onReport = (report: WorkerReport, pid: number) => {
    loaded = report.loaded.length > 0 ? new Set(report.loaded) : undefined;
    say(`Worker ${pid} runs ${report.workflows.join(", ") || "no workflow yet"}.`);
    void lint(report.loaded);
  };
  begin(() =>
    keepReloading({
      folder,
      start: () => {
        // Until it is ready, a change of any file may be what it waits for.
        loaded = undefined;
        return startWorker({ folder, config, env: childEnv, onReport });
      },
      onSaved: (file) => void lint([file]),
      isLoaded: (file) => loaded?.has(file) ?? true,
      untilPossible: database.untilThere,
      say,
    }),
  );
  await beginConsole(begin, { folder, config, env: childEnv, say });
  say("Ctrl-C stops everything.");
  await new Promise(() => undefined);
}
