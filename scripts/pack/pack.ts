import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { bundleCode } from "./code";
import { manifestOf } from "./manifest";
import { copyMigrations } from "./migrations";
import { noticesOf } from "./notices";
import { type Packed, ROOT, tarballOf } from "./tarball";
import { bundleTypes } from "./types";

/** Programs that the launcher starts by their names. */
const BESIDE_THE_CODE = ["scripts/launch/end-with-parent.mjs", "scripts/launch/guard-process.mjs"];
/** What one of them loads, which is TypeScript here. */
const STOP_UNLESS_USED = 'export { stopUnlessUsed } from "./embedded.js";\n';

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
  for (const file of BESIDE_THE_CODE) await cp(path.join(ROOT, file), path.join(code, path.basename(file)));
  await writeFile(path.join(code, "stop-unless-used.mjs"), STOP_UNLESS_USED);
  await copyMigrations(ROOT, path.join(folder, "migrations"));
  return { folder, tarball: await tarballOf(folder, out) };
}
