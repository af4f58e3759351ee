import { join } from "node:path";
import { readEnv } from "../../lib/env";
import { startSandbox } from "./server";

const { sandboxPort, smtpPort, dataDir } = readEnv();
const starting = startSandbox({ port: sandboxPort, smtpPort, directory: join(dataDir, "sandbox") });

async function stop(): Promise<never> {
  const sandbox = await starting;
  await sandbox.stop();
  process.exit(0);
}
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
// Started by another process, it ends with that process, however that one ended.
process.once("disconnect", stop);

const { url, smtpPort: mailPort } = await starting;
console.log(`sandbox: payments, blobs and users on ${url}, mail on smtp://127.0.0.1:${mailPort}`);
