import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installPackage } from "./apt";

const isThere = (program: string) => spawnSync(program, ["--version"]).status === 0;

/** The type checker of the Python package: Debian's where there is Python, none of it, and we may install. */
export async function ensureMypy(scratch: string): Promise<void> {
  if (isThere("python3") && !isThere("mypy")) await installPackage("mypy", join(scratch, "apt-get-mypy.log"));
}
