import { overwriteForwardedFor } from "./access/peer-address";
import { guardFrontDoor } from "./api/http/front-door";
import { serverEnv } from "./server-env";
import { shutdown } from "./shutdown";

/** The web process ends by closing what it opened: streams to browsers, its LISTEN connection, its pool. */
async function stop(): Promise<void> {
  await shutdown();
  process.exit(0);
}

overwriteForwardedFor(serverEnv().proxies);
guardFrontDoor(serverEnv());
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
