import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { consoleManifest } from "../manifest";
import { noticesOf } from "../notices";
import { type Packed, ROOT, tarballOf } from "../tarball";
import { buildStandalone, bundleServer } from "./build";
import { bundleDemo } from "./demo";
import { installedPackages } from "./included";
import { addNativeCode } from "./native";

/** Builds the package `@handrail/console` below a folder of this repository, and packs it. What was there is replaced. */
export async function packConsole(out = path.join(ROOT, "dist")): Promise<Packed> {
  const folder = path.join(out, "console");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const built = path.join(folder, "console");
  const bundled = await buildStandalone(ROOT, built);
  await bundleServer(ROOT, path.join(folder, "server.js"));
  const nodeModules = path.join(built, "node_modules");
  const ofDemo = await bundleDemo(ROOT, path.join(folder, "demo"));
  const included = [...bundled, ...ofDemo, ...(await installedPackages(ROOT, nodeModules))];
  const notices = await noticesOf([...new Set(included)].sort(), {
    "The list of common passwords": path.join(ROOT, "lib/access/common-passwords.LICENSE.txt"),
  });
  await writeFile(path.join(folder, "THIRD-PARTY-NOTICES.md"), notices);
  await addNativeCode(ROOT, nodeModules);
  await cp(fileURLToPath(new URL("package", import.meta.url)), folder, { recursive: true });
  for (const file of ["LICENSE", "CHANGELOG.md"]) await cp(path.join(ROOT, file), path.join(folder, file));
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify(await consoleManifest(ROOT), null, 2)}\n`);
  return { folder, tarball: await tarballOf(folder, out) };
}
