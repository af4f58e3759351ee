import { overwriteForwardedFor } from "./access/peer-address";
import { guardFrontDoor } from "./api/http/front-door";
import type { App } from "./app";
import { registerApp } from "./registered-app";
import { serverEnv } from "./server-env";
import { shutdown } from "./shutdown";

/** The web process ends by closing what it opened: streams to browsers, its LISTEN connection, its pool. */
async function stop(): Promise<void> {
  await shutdown();
  process.exit(0);
}

/** Once, before the first request. */
export function startWebProcess(app: App): void {
  registerApp(app);
  overwriteForwardedFor(serverEnv().proxies);
  guardFrontDoor(serverEnv());
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}
