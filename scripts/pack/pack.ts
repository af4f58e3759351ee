import { execFile } from "node:child_process";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundleCode } from "./code";
import { manifestOf } from "./manifest";
import { noticesOf } from "./notices";
import { bundleTypes } from "./types";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Packed {
  /** What npm publishes. */
  tarball: string;
  /** The same, as files. */
  folder: string;
}

/** Builds the package `handrail` below a folder of this repository, and packs it. What was there is replaced. */
export async function pack(out = path.join(ROOT, "dist")): Promise<Packed> {
  const folder = path.join(out, "handrail");
  await rm(folder, { recursive: true, force: true });
  const code = path.join(folder, "dist");
  await mkdir(code, { recursive: true });
  const manifest = await manifestOf(ROOT);
  const installed = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
  const [included] = await Promise.all([
    bundleCode(ROOT, code, new RegExp(`^(${installed.join("|")})(/|$)`)),
    bundleTypes(ROOT, code, installed),
  ]);
  await writeFile(path.join(folder, "THIRD-PARTY-NOTICES.md"), await noticesOf(included));
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of ["LICENSE", "CHANGELOG.md"]) await cp(path.join(ROOT, file), path.join(folder, file));
  await cp(path.join(ROOT, "scripts/pack/README.md"), path.join(folder, "README.md"));
  await copyMigrations(path.join(folder, "migrations"));
  const { stdout } = await promisify(execFile)("npm", ["pack", "--json", "--pack-destination", out], { cwd: folder });
  return { tarball: path.join(out, JSON.parse(stdout)[0].filename), folder };
}

/** The folders that hold one, not Prisma's own files beside them. */
async function copyMigrations(to: string): Promise<void> {
  const from = path.join(ROOT, "prisma/migrations");
  const entries = await readdir(from, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    await cp(path.join(from, name), path.join(to, name), { recursive: true });
}
