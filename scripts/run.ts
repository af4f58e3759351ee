import { type Env, readEnv, readEnvOfConsole } from "../lib/env";
import { migrate } from "../lib/store/migrations/migrate";
import { setSchema } from "../lib/store/schema";
import { type Mode, readArguments, refuseFreshOutside } from "./launch/arguments";
import { buildConsole } from "./launch/build";
import { checkPorts } from "./launch/check-ports";
import { type Database, keepDatabase } from "./launch/database";
import { type Kept, keepRunning } from "./launch/keep-running";
import { type Begin, launch } from "./launch/launch";
import { type Observation, observation, prometheusFor } from "./launch/observe";
import { childEnvironment, startConsole, startSandbox, startSeed, startWorker } from "./launch/programs";
import { say } from "./launch/say";
import { type Console, type Serving, serveConsole } from "./launch/serve-console";
import { type DemoPrograms, postgresDir, removeData, serveDemo } from "./launch/serve-demo";
import { refuseWithoutTools } from "./launch/tools";
import { migrateDemo } from "./postgres/migrate-demo";
import { printError } from "./start-error";

/** `npm run demo`, `npm start`, `npm run dev`, `npm run worker`: starts all that it takes, and stops it again. */
async function main(): Promise<void> {
  const { mode, fresh, observe } = readArguments(process.argv.slice(2));
  refuseWithoutTools(mode);
  // The demo signs people in, and is for this machine alone: its console says so.
  const env = mode === "start" || mode === "dev" ? readEnvOfConsole() : readEnv();
  setSchema(env.schema);
  if (fresh) refuseFreshOutside(env);
  if (mode !== "worker") await checkPorts(env, mode);
  if (fresh) await removeData(env);
  const observed = observe ? await observation(env, await prometheusFor(env)) : undefined;
  // npm ends with what it runs, and may be killed: nothing could stop us then.
  const endsWithParent = env.npmScript === mode;
  await launch((begin, stopping) => serve({ env, mode, observed, begin, stopping }), { endsWithParent });
}

type Started = { env: Env; mode: Mode; observed: Observation | undefined; begin: Begin; stopping: AbortSignal };
type Running = Started & Serving & { childEnv: Record<string, string> };

/** In the order of need. Ends only if something can't be started. */
async function serve(started: Started): Promise<void> {
  const { env, mode, begin, stopping } = started;
  const embedded = env.databaseUrl ? undefined : begin(() => keepDatabase(postgresDir(env), stopping));
  const databaseUrl = env.databaseUrl ?? (await (embedded as Database).url);
  const directUrl = env.directUrl ?? databaseUrl;
  const { applied } = await migrate(directUrl, { say });
  if (applied.length) say(`The database got ${applied.length === 1 ? "1 migration" : `${applied.length} migrations`}.`);
  if (env.demo || mode === "demo") await migrateDemo(directUrl);
  const childEnv = childEnvironment(env, mode, databaseUrl);
  const untilDatabase = async (signal: AbortSignal) => embedded?.untilThere(signal);
  const running: Running = { ...started, databaseUrl, childEnv, untilDatabase };
  if (mode === "worker") return serveWorkerAlone(running);

  if (mode !== "dev") await buildConsole(begin, childEnv);
  if (mode === "demo") return serveDemo(running, childEnv, demoPrograms(env), started.observed);
  await serveConsole(running, consoleOf(running));
}

function consoleOf(running: Running): Console {
  const { env, mode, childEnv } = running;
  return {
    start: () => startConsole(env, mode, childEnv),
    ...(env.worker === "on" && { besides: () => keepWorker(running) }),
    parts: env.worker === "on" ? "console, API and worker" : "console and API, no worker",
  };
}

const demoPrograms = (env: Env): DemoPrograms => ({
  sandbox: startSandbox,
  console: (childEnv) => startConsole(env, "demo", childEnv),
  worker: (childEnv) => startWorker("demo", childEnv),
  seed: startSeed,
});

function keepWorker({ mode, childEnv, untilDatabase }: Running): Kept {
  return keepRunning(() => startWorker(mode, childEnv), { untilPossible: untilDatabase });
}

/** Any number of these, on any machine that reaches the database. */
async function serveWorkerAlone(running: Running): Promise<void> {
  running.begin(() => keepWorker(running));
  say(`A worker is running on the database at ${new URL(running.databaseUrl).host}. Ctrl-C stops it.`);
  await new Promise(() => undefined);
}

main().then(
  () => process.exit(0),
  (error) => {
    printError(error);
    process.exit(1);
  },
);
