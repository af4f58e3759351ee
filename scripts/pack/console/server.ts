import type { App } from "../../../lib/app";
import { environmentWith, readEnvOfConsole } from "../../../lib/env";
import { addressesOf } from "../../../lib/env-of-app";
import { printError } from "../../start-error";

/** `handrail demo` starts it with this word. No variable does: whoever reaches a demo may be whom they like. */
const [word, config, loader] = process.argv.slice(2);
const isDemo = word === "demo";

/** `handrail console` says `blobs`, the app's configuration and what loads it, where that has a blob store. */
async function takeBlobs(): Promise<void> {
  if (word !== "blobs" || !config || !loader) return;
  const { loadConfig } = (await import(loader)) as { loadConfig: (file: string) => Promise<App> };
  Object.assign(globalThis, { handrailBlobs: (await loadConfig(config)).blobs });
}

/** The program of the packed console. Settles what Next reads of the environment, then starts the server that Next has built. */
try {
  const env = readEnvOfConsole(environmentWith({ HANDRAIL_DEMO: isDemo ? "on" : "" }));
  addressesOf({}, env);
  Object.assign(process.env, {
    HANDRAIL_DATA: env.dataDir, // absolute, since Next changes the folder
    HANDRAIL_DEMO: isDemo ? "on" : "off",
    HOSTNAME: env.host, // in a container, its name for itself otherwise
    NEXT_MANUAL_SIG_HANDLE: "true", // the console closes what it opened before it exits: lib/instrumentation-node.ts
    NEXT_TELEMETRY_DISABLED: "1",
    PORT: String(env.port),
  });
  await takeBlobs();
  await import(new URL("console/server.js", import.meta.url).href);
} catch (error) {
  printError(error);
  process.exit(1);
}
