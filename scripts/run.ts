import { rm } from "node:fs/promises";
import path from "node:path";
import { newSecret } from "../lib/access/secret";
import { type Env, readEnv } from "../lib/env";
import { type Mode, readArguments, refuseFreshOutside } from "./launch/arguments";
import { buildConsole } from "./launch/build";
import { checkPorts } from "./launch/check-ports";
import { untilHealthy } from "./launch/health";
import { keepRunning } from "./launch/keep-running";
import { type Begin, launch } from "./launch/launch";
import { childEnvironment, startConsole, startSandbox, startSeed, startWorker } from "./launch/programs";
import { say } from "./launch/say";
import { setUpLink } from "./launch/set-up-link";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "./postgres/embedded";
import { migrate } from "./postgres/migrate";
import { printError, StartError } from "./start-error";

/** `npm run demo`, `npm start`, `npm run dev`, `npm run worker`: starts all that it takes, and stops it again. */
async function main(): Promise<void> {
  const { mode, fresh } = readArguments(process.argv.slice(2));
  const env = readEnv();
  if (fresh) refuseFreshOutside(env);
  if (mode !== "worker") await checkPorts(env, mode);
  if (fresh) await removeData(env);
  await launch((begin, stopping) => serve({ env, mode, begin, stopping }));
}

/** By what name this machine itself asks a console that listens on every address. */
const HERE: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

type Serving = { env: Env; mode: Mode; begin: Begin; stopping: AbortSignal };

/** In the order of need. Ends only if something can't be started, or the console ends by itself. */
async function serve(serving: Serving): Promise<void> {
  const { env, mode, begin, stopping } = serving;
  const databaseUrl = env.databaseUrl ?? (await startDatabase(env, begin));
  const { applied } = await migrate(env.directUrl ?? databaseUrl, { say });
  if (applied.length) say(`The database got ${applied.length === 1 ? "1 migration" : `${applied.length} migrations`}.`);
  const childEnv = childEnvironment(env, mode, databaseUrl);
  if (mode === "worker") return serveWorkerAlone(serving, databaseUrl, childEnv);

  if (mode === "demo") {
    begin(() => keepRunning(() => startSandbox(childEnv)));
    await untilHealthy("sandbox", `${env.sandboxUrl}/health`, stopping);
  }
  if (mode !== "dev") await buildConsole(begin, childEnv);
  await serveConsole(serving, childEnv);
}

async function startDatabase(env: Env, begin: Begin): Promise<string> {
  const { server } = begin(() => {
    const server = startEmbeddedPostgres({ dir: postgresDir(env) });
    return { server, stop: async () => (await server).stop() };
  });
  return (await server).url();
}

async function serveConsole(serving: Serving, shared: Record<string, string>): Promise<void> {
  const { env, mode, begin } = serving;
  const token = mode === "demo" && env.bootstrapToken === null ? newSecret("hr_") : null;
  const childEnv = token === null ? shared : { ...shared, HANDRAIL_BOOTSTRAP_TOKEN: token };
  const { console } = begin(() => {
    const console = startConsole(env, mode, childEnv);
    const worker = env.worker === "on" ? keepRunning(() => startWorker(mode, childEnv)) : undefined;
    return { console, stop: () => Promise.all([console.stop(), worker?.stop()]) };
  });
  const ended = console.ended.then((how) => {
    throw new StartError(`The console ended (${how}), and everything else with it. What it said is above.`);
  });
  await Promise.race([ended, announce(serving, childEnv)]);
  await ended;
}

async function announce({ env, mode, begin, stopping }: Serving, childEnv: Record<string, string>): Promise<void> {
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
async function serveWorkerAlone(
  { begin }: Serving,
  databaseUrl: string,
  childEnv: Record<string, string>,
): Promise<void> {
  begin(() => keepRunning(() => startWorker("worker", childEnv)));
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
