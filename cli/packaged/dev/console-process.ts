import { startChild } from "../../../scripts/launch/children";
import { keepRunning } from "../../../scripts/launch/keep-running";
import type { Begin } from "../../../scripts/launch/launch";
import { findConsole } from "../console/find-console";

/** Why `handrail console` ended by itself is in what it said; another one would say the same. */
const CANNOT_START = /^exit code [12]$/;

/**
 * `handrail console` in its own process, if the app in this folder has the console.
 * @param say is called with what to install where it does not
 */
export async function beginConsole(
  begin: Begin,
  {
    folder,
    config,
    env,
    say,
  }: { folder: string; config: string; env: Record<string, string>; say: (sentence: string) => void },
): Promise<void> {
  const refusal = await findConsole(folder).then(
    () => null,
    (error: Error) => error.message,
  );
  if (refusal !== null) return say(refusal);
  const args = [process.argv[1] as string, "console", "--config", config];
  const start = () => startChild("console", { args, cwd: folder, env, output: "shown" });
  begin(() => keepRunning(start, { isFinal: (how) => CANNOT_START.test(how) }));
}
