import { environmentWith, readEnv } from "../../../lib/env";
import { addressesOf, readEnvFile } from "../../../lib/env-of-app";
import { checkPorts } from "../../../scripts/launch/check-ports";
import { startChild } from "../../../scripts/launch/children";
import { launch } from "../../../scripts/launch/launch";
import { childEnvironment } from "../../../scripts/launch/programs";
import { serveConsole } from "../../../scripts/launch/serve-console";
import { checkDatabase } from "../config/check-database";
import { findConsole } from "./find-console";

/** Scripts of npm that end with what they run, and may be killed: nothing could stop the console then. */
const ENDING_WITH_US = ["console", "npx"];

/**
 * Serves the console of the app in this folder, as `npm start` of the repository does, until a signal asks to stop.
 * @param given variables that the command line has set
 */
export async function serveInstalledConsole(given: Record<string, string>): Promise<void> {
  const cwd = process.cwd();
  readEnvFile(cwd);
  const env = readEnv(environmentWith({ ...given, HANDRAIL_DEMO: "" })); // the demo is not in the package
  const { server } = await findConsole(cwd);
  await checkDatabase({ workflows: [] });
  const { databaseUrl } = addressesOf({}, env);
  await checkPorts(env, "start", "npx handrail console");
  const settings = { ...childEnvironment(env, "start", databaseUrl), HOST: env.host, PORT: String(env.port) };
  const start = () => startChild("console", { args: [server], cwd, env: settings, output: "errors" });
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
