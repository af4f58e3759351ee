import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installPackage } from "./apt";

/** Those that `handrail completion` is for, beside bash. */
const SHELLS = ["zsh", "fish"];

/** Installs Debian's where one is missing and we may. Without one, its test is skipped, and says so. */
export async function ensureShells(scratch: string): Promise<void> {
  for (const shell of SHELLS)
    if (spawnSync(shell, ["--version"]).status !== 0)
      await installPackage(shell, join(scratch, `apt-get-${shell}.log`));
}
