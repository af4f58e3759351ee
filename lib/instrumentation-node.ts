import { tellPeers } from "./access/peer-address";
import { readEnv } from "./env";
import { shutdown } from "./shutdown";

/** The web process ends by closing what it opened: streams to browsers, its LISTEN connection, its pool. */
async function stop(): Promise<void> {
  await shutdown();
  process.exit(0);
}

tellPeers(readEnv().proxies);
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
