import { overwriteForwardedFor } from "./access/peer-address";
import { guardFrontDoor } from "./api/http/front-door";
import type { App } from "./app";
import { registerApp } from "./registered-app";
import { server, serverLog } from "./server";
import { serverEnv } from "./server-env";
import { watchAlerts } from "./server-watch";
import { onShutdown, shutdown } from "./shutdown";

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
  const watch = watchAlerts(server, serverLog());
  watch.start();
  onShutdown("the watch over alerts", () => watch.stop());
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}
