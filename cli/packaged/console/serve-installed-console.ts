import { environmentWith, readEnvOfConsole } from "../../../lib/env";
import { addressesOf, readEnvFile } from "../../../lib/env-of-app";
import { checkPorts } from "../../../scripts/launch/check-ports";
import { startChild } from "../../../scripts/launch/children";
import { launch } from "../../../scripts/launch/launch";
import { childEnvironment } from "../../../scripts/launch/programs";
import { serveConsole } from "../../../scripts/launch/serve-console";
import { checkDatabase } from "../config/check-database";
import { configsIn, findConfig } from "../config/find-config";
import { loadConfig } from "../config/load-config";
import { findConsole } from "./find-console";

/** Scripts of npm that end with what they run, and may be killed: nothing could stop the console then. */
const ENDING_WITH_US = ["console", "npx"];

/** Beside this code in the package. */
const LOADER = new URL("load-config.js", import.meta.url).href;

/**
 * Arguments of the console's program, for the blob store of the app in this folder: values there are read by the console, too.
 * Without a configuration there is none, and one that cannot be loaded stops workers, but not the console.
 */
async function blobsOf(cwd: string, given?: string): Promise<string[]> {
  const [file] = given === undefined ? configsIn(cwd) : [findConfig(cwd, given)];
  if (file === undefined) return [];
  try {
    return (await loadConfig(file)).blobs ? ["blobs", file, LOADER] : [];
  } catch (error) {
    process.stderr.write(`The console goes on without what is in ${file}: ${(error as Error).message}\n`);
    return [];
  }
}

/**
 * Serves the console of the app in this folder, as `npm start` of the repository does, until a signal asks to stop.
 * @param given variables that the command line has set
 * @param config the app's configuration; default: that of the folder, if there is one
 */
export async function serveInstalledConsole(given: Record<string, string>, config?: string): Promise<void> {
  const cwd = process.cwd();
  readEnvFile(cwd);
  const env = readEnvOfConsole(environmentWith({ ...given, HANDRAIL_DEMO: "" })); // the demo is not in the package
  const { server } = await findConsole(cwd);
  await checkDatabase({ workflows: [] });
  const { databaseUrl } = addressesOf({}, env);
  await checkPorts(env, "start", "npx handrail console");
  const settings = { ...childEnvironment(env, "start", databaseUrl), HOST: env.host, PORT: String(env.port) };
  const args = [server, ...(await blobsOf(cwd, config))];
  const start = () => startChild("console", { args, cwd, env: settings, output: "errors" });
  const untilDatabase = async () => undefined;
  await launch(
    (begin, stopping) =>
      serveConsole(
        { env, begin, stopping, databaseUrl, untilDatabase },
        { start, parts: "console and API, no worker" },
      ),
    { endsWithParent: ENDING_WITH_US.includes(env.npmScript ?? "") },
  );
}
