import { rm } from "node:fs/promises";
import path from "node:path";
import { newSecret } from "../../lib/access/secret";
import type { Env } from "../../lib/env";
import { removeEmbeddedPostgres } from "../postgres/embedded";
import { StartError } from "../start-error";
import { sandboxPorts, untilFree } from "./check-ports";
import type { Child } from "./child";
import { untilHealthy } from "./health";
import { keepRunning } from "./keep-running";
import type { Begin } from "./launch";
import type { Observation } from "./observe";
import { say } from "./say";
import { type Serving, serveConsole } from "./serve-console";

/** What the demo is made of, on the environment that each gets. */
export type DemoPrograms = Record<"sandbox" | "console" | "worker" | "seed", (env: Record<string, string>) => Child>;

/** The sandbox, the console and a worker on a migrated database, with the demo's data. Ends only if something can't be started. */
export async function serveDemo(
  serving: Serving,
  childEnv: Record<string, string>,
  programs: DemoPrograms,
  observed?: Observation,
): Promise<void> {
  const { env, begin, stopping, untilDatabase } = serving;
  const token = newSecret("hr_");
  const settings = {
    ...childEnv,
    ...observed?.settings,
    ...(env.bootstrapToken === null && { HANDRAIL_BOOTSTRAP_TOKEN: token }),
  };
  const untilPossible = (signal: AbortSignal) => untilFree("sandbox", sandboxPorts(env), signal);
  begin(() => keepRunning(() => programs.sandbox(settings), { untilPossible }));
  await untilHealthy("sandbox", `${env.sandboxUrl}/health`, stopping);
  const works = env.worker === "on";
  const worker = () => keepRunning(() => programs.worker(settings), { untilPossible: untilDatabase });
  await serveConsole(serving, {
    start: () => programs.console(settings),
    ...(works && { besides: worker }),
    parts: `${works ? "console, API and worker" : "console and API, no worker"}; the demo's sandbox is at ${env.sandboxUrl}`,
    // Before the outage, so that it is seen from its first minute.
    prepare: async () => {
      await observed?.begin(begin);
      await seed(begin, () => programs.seed(settings));
    },
    introduce: () => sayWhomToBe(env, token),
  });
}

function sayWhomToBe({ bootstrapToken }: Env, token: string): void {
  say("There you choose whom to be: viewer, operator or admin.");
  if (bootstrapToken === null) say(`Programs bring a token. Until this demo stops: export HANDRAIL_TOKEN=${token}`);
}

async function seed(begin: Begin, start: () => Child): Promise<void> {
  const seeding = begin(start);
  const how = await seeding.ended;
  if (how !== "exit code 0")
    throw new StartError(`${seeding.output()}\nThe demo's data could not be made (${how}); see above.`);
}

export const postgresDir = (env: Env) => path.join(env.dataDir, "postgres");

/** What the demo made, and nothing else that may lie in the folder. */
export async function removeData(env: Env): Promise<void> {
  await removeEmbeddedPostgres(postgresDir(env));
  for (const folder of ["sandbox", "prometheus"])
    await rm(path.join(env.dataDir, folder), { recursive: true, force: true });
}
