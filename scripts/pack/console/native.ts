import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const NATIVE = "@node-rs/argon2";
const PLATFORMS = [
  "darwin-arm64",
  "darwin-x64",
  "linux-arm64-gnu",
  "linux-arm64-musl",
  "linux-x64-gnu",
  "linux-x64-musl",
  "win32-arm64-msvc",
  "win32-x64-msvc",
];

interface Lock {
  packages: Record<string, { version: string }>;
}

/**
 * The machine code that hashes passwords, for all platforms: npm installs only that of the machine it runs on. npm holds each against the checksum
 * in this repository's lock file.
 */
export async function addNativeCode(root: string, nodeModules: string): Promise<void> {
  const lock: Lock = JSON.parse(await readFile(path.join(root, "package-lock.json"), "utf8"));
  const locked = PLATFORMS.map((platform) => {
    const name = `${NATIVE}-${platform}`;
    const entry = lock.packages[`node_modules/${name}`];
    if (!entry) throw new Error(`package-lock.json has no ${name}.`);
    return { name, entry };
  });
  const project = {
    name: "native",
    version: "0.0.0",
    dependencies: Object.fromEntries(locked.map(({ name, entry }) => [name, entry.version])),
  };
  const packages = Object.fromEntries(locked.map(({ name, entry }) => [`node_modules/${name}`, entry]));
  const scratch = await mkdtemp(`${nodeModules}-native-`);
  try {
    await writeFile(path.join(scratch, "package.json"), JSON.stringify(project));
    const itsLock = { ...project, lockfileVersion: 3, requires: true, packages: { "": project, ...packages } };
    await writeFile(path.join(scratch, "package-lock.json"), JSON.stringify(itsLock));
    // By force, since none but one is for this machine.
    const options = ["--force", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
    await promisify(execFile)("npm", ["ci", ...options], { cwd: scratch });
    for (const { name } of locked)
      await cp(path.join(scratch, "node_modules", name), path.join(nodeModules, name), { recursive: true });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
