import { existsSync } from "node:fs";
import { runCommand } from "./run-command";

/** Another installation may be going on: wait for it. */
const INSTALL = ["apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "--no-install-recommends"];

/** Installs a package of Debian's; gives what apt-get said, or undefined where we may not. */
export async function installPackage(name: string, log: string): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await runCommand(["apt-get", "update"], log, env);
  return (await runCommand([...INSTALL, name], log, env)).output;
}
