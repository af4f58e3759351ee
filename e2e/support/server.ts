import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/ports";

/** The variables that give a launcher its own ports and data, so that any number of test runs live side by side. */
export interface ServerEnvironment extends Record<string, string> {
  PORT: string;
  HANDRAIL_SANDBOX_PORT: string;
  HANDRAIL_SMTP_PORT: string;
  HANDRAIL_DATA: string;
  /** What programs come with. */
  HANDRAIL_BOOTSTRAP_TOKEN: string;
}

const SHARED = "HANDRAIL_E2E";

/**
 * Made once, by the process that reads Playwright's configuration first; its workers read it again and must find the
 * same. The data goes when that process ends, which is after it has stopped the server.
 */
export async function serverEnvironment(): Promise<ServerEnvironment> {
  const made = process.env[SHARED];
  if (made) return JSON.parse(made);
  const [port, sandbox, smtp] = await Promise.all([freePort(), freePort(), freePort()]);
  const data = mkdtempSync(join(tmpdir(), "handrail-e2e-"));
  chmodSync(data, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  process.once("exit", () => rmSync(data, { recursive: true, force: true }));
  const environment = {
    PORT: String(port),
    HANDRAIL_SANDBOX_PORT: String(sandbox),
    HANDRAIL_SMTP_PORT: String(smtp),
    HANDRAIL_DATA: data,
    HANDRAIL_BOOTSTRAP_TOKEN: randomBytes(32).toString("hex"),
  };
  process.env[SHARED] = JSON.stringify(environment);
  return environment;
}
