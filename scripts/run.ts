import { rm } from "node:fs/promises";
import path from "node:path";
import { newSecret } from "../lib/access/secret";
import { type Env, readEnv } from "../lib/env";
import { migrate } from "../lib/store/migrations/migrate";
import { setSchema } from "../lib/store/schema";
import { type Mode, readArguments, refuseFreshOutside } from "./launch/arguments";
import { buildConsole } from "./launch/build";
import { checkPorts, consolePort, sandboxPorts, untilFree } from "./launch/check-ports";
import { type Database, keepDatabase } from "./launch/database";
import { untilHealthy } from "./launch/health";
import { type Kept, keepRunning } from "./launch/keep-running";
import { type Begin, launch } from "./launch/launch";
import { childEnvironment, startConsole, startSandbox, startSeed, startWorker } from "./launch/programs";
import { say } from "./launch/say";
import { setUpLink } from "./launch/set-up-link";
import { refuseWithoutTools } from "./launch/tools";
import { removeEmbeddedPostgres } from "./postgres/embedded";
import { migrateDemo } from "./postgres/migrate-demo";
import { printError, StartError } from "./start-error";

/** `npm run demo`, `npm start`, `npm run dev`, `npm run worker`: starts all that it takes, and stops it again. */
async function main(): Promise<void> {
  const { mode, fresh } = readArguments(process.argv.slice(2));
  refuseWithoutTools(mode);
  const env = readEnv();
  setSchema(env.schema);
  if (fresh) refuseFreshOutside(env);
  if (mode !== "worker") await checkPorts(env, mode);
  if (fresh) await removeData(env);
  // npm ends with what it runs, and may be killed: nothing could stop us then.
  const endsWithParent = env.npmScript === mode;
  await launch((begin, stopping) => serve({ env, mode, begin, stopping }), { endsWithParent });
}

/** By what name this machine itself asks a console that listens on every address. */
const HERE: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

type Started = { env: Env; mode: Mode; begin: Begin; stopping: AbortSignal };
type Serving = Started & {
  /** What every program is given. */
  childEnv: Record<string, string>;
  /** Resolves when the embedded database is there; at once if the database is another. Early when the signal aborts. */
  untilDatabase: (stopping: AbortSignal) => Promise<void>;
};

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
  const serving: Serving = { ...started, childEnv, untilDatabase: async (signal) => embedded?.untilThere(signal) };
  if (mode === "worker") return serveWorkerAlone(serving, databaseUrl);

  if (mode === "demo") {
    const untilPossible = (signal: AbortSignal) => untilFree("sandbox", sandboxPorts(env), signal);
    begin(() => keepRunning(() => startSandbox(childEnv), { untilPossible }));
    await untilHealthy("sandbox", `${env.sandboxUrl}/health`, stopping);
  }
  if (mode !== "dev") await buildConsole(begin, childEnv);
  if (mode === "demo" && env.bootstrapToken === null) childEnv.HANDRAIL_BOOTSTRAP_TOKEN = newSecret("hr_");
  await serveConsole(serving);
}

async function serveConsole(serving: Serving): Promise<void> {
  const { env, mode, begin, childEnv } = serving;
  let announced = false;
  const { console } = begin(() => {
    const console = keepRunning(() => startConsole(env, mode, childEnv), {
      untilPossible: async (signal) => {
        await serving.untilDatabase(signal);
        await untilFree("console", [consolePort(env)], signal);
      },
      // By itself, before it ever answered: it will not the next time either.
      isFinal: (how) => !announced && how.startsWith("exit code"),
    });
    const worker = env.worker === "on" ? keepWorker(serving) : undefined;
    return { console, stop: () => Promise.all([console.stop(), worker?.stop()]) };
  });
  const ended = console.ended.then((how) => {
    throw new StartError(`The console could not start (${how}). What it said is above.`);
  });
  await Promise.race([ended, announce(serving)]);
  announced = true;
  await ended;
}

function keepWorker({ mode, childEnv, untilDatabase }: Serving): Kept {
  return keepRunning(() => startWorker(mode, childEnv), { untilPossible: untilDatabase });
}

async function announce({ env, mode, begin, stopping, childEnv }: Serving): Promise<void> {
  const here = HERE[env.host] ?? env.host;
  const local = `http://${here.includes(":") ? `[${here}]` : here}:${env.port}`;
  const address = env.origin ?? local;
  if (mode === "demo") await seed(begin, childEnv);
  await untilHealthy("console", `${local}/api/health/live`, stopping);
  const parts = env.worker === "on" ? "console, API and worker" : "console and API, no worker";
  const sandbox = mode === "demo" ? `; the demo's sandbox is at ${env.sandboxUrl}` : "";
  if (!stopping.aborted) say(`Handrail is running at ${address} — ${parts}${sandbox}. Ctrl-C stops it.`);
  if (stopping.aborted) return;
  if (mode === "demo") sayWhomToBe(env, childEnv);
  else if (env.signIn) await saySetUp(childEnv.DATABASE_URL as string, address);
}

function sayWhomToBe({ bootstrapToken }: Env, { HANDRAIL_BOOTSTRAP_TOKEN = "" }: Record<string, string>): void {
  say("There you choose whom to be: viewer, operator or admin.");
  if (bootstrapToken === null)
    say(`Programs bring a token. Until this demo stops: export HANDRAIL_TOKEN=${HANDRAIL_BOOTSTRAP_TOKEN}`);
}

async function saySetUp(databaseUrl: string, address: string): Promise<void> {
  const link = await setUpLink(databaseUrl, address);
  if (link) say(`Nobody can sign in yet. The first admin does at ${link} — once, within a day.`);
}

async function seed(begin: Begin, childEnv: Record<string, string>): Promise<void> {
  const seed = begin(() => startSeed(childEnv));
  const how = await seed.ended;
  if (how !== "exit code 0")
    throw new StartError(`${seed.output()}\nThe demo's data could not be made (${how}); see above.`);
}

/** Any number of these, on any machine that reaches the database. */
async function serveWorkerAlone(serving: Serving, databaseUrl: string): Promise<void> {
  serving.begin(() => keepWorker(serving));
  say(`A worker is running on the database at ${new URL(databaseUrl).host}. Ctrl-C stops it.`);
  await new Promise(() => undefined);
}

const postgresDir = (env: Env) => path.join(env.dataDir, "postgres");

/** What the demo made, and nothing else that may lie in the folder. */
async function removeData(env: Env): Promise<void> {
  await removeEmbeddedPostgres(postgresDir(env));
  await rm(path.join(env.dataDir, "sandbox"), { recursive: true, force: true });
}

main().then(
  () => process.exit(0),
  (error) => {
    printError(error);
    process.exit(1);
  },
);
