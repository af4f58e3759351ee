import { environmentWith, readEnv } from "../../../lib/env";
import { addressesOf } from "../../../lib/env-of-app";
import { printError } from "../../start-error";

/** `handrail demo` starts it with this word. No variable does: whoever reaches a demo may be whom they like. */
const isDemo = process.argv[2] === "demo";

/** The program of the packed console. Settles what Next reads of the environment, then starts the server that Next has built. */
try {
  const env = readEnv(environmentWith({ HANDRAIL_DEMO: isDemo ? "on" : "" }));
  addressesOf({}, env);
  Object.assign(process.env, {
    HANDRAIL_DATA: env.dataDir, // absolute, since Next changes the folder
    HANDRAIL_DEMO: isDemo ? "on" : "off",
    HOSTNAME: env.host, // in a container, its name for itself otherwise
    NEXT_MANUAL_SIG_HANDLE: "true", // the console closes what it opened before it exits: lib/instrumentation-node.ts
    NEXT_TELEMETRY_DISABLED: "1",
    PORT: String(env.port),
  });
  await import(new URL("console/server.js", import.meta.url).href);
} catch (error) {
  printError(error);
  process.exit(1);
}
