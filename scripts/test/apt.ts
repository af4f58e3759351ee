import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
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

/** For packages that would start a server if they were installed: unpacks them into a folder, whole or not at all, also where two do so at once. */
export async function unpackPackages(names: readonly string[], to: string, scratch: string): Promise<void> {
  if (!existsSync("/usr/bin/apt-get")) return;
  const folder = join(scratch, "unpacking", names[0] as string);
  await mkdir(folder, { recursive: true });
  const fetch = `apt-get download ${names.join(" ")} && for file in *.deb; do dpkg -x "$file" unpacked; done`;
  const { code } = await runCommand(
    ["bash", "-c", `cd '${folder}' && (${fetch} || (apt-get update && ${fetch}))`],
    join(scratch, `apt-get-${names[0]}.log`),
  );
  await mkdir(dirname(to), { recursive: true });
  if (code === 0) await rename(join(folder, "unpacked"), to).catch(() => undefined);
}
