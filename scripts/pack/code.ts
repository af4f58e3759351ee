import path from "node:path";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";
import { ENTRIES } from "./entries";

const HERE = /new URL\("(?:\.\.\/)+prisma\/migrations", import\.meta\.url\)/g;

/** The package has its migrations beside its code. */
const movedMigrations: Plugin = {
  name: "handrail:migrations",
  transform: (code) => code.replaceAll(HERE, `new URL("../migrations", import.meta.url)`),
};

/**
 * The code of the package, with all that it uses but `installed`.
 * @returns the folders of the packages that are in it
 */
export async function bundleCode(root: string, dir: string, installed: RegExp): Promise<string[]> {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, path.join(root, file)])),
    platform: "node",
    external: installed,
    plugins: [movedMigrations],
  });
  const { output } = await bundle.write({ dir, format: "esm", chunkFileNames: "[name]-[hash].js" });
  await bundle.close();
  const modules = output.flatMap((chunk) => Object.keys((chunk as OutputChunk).modules ?? {}));
  return [...new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []))].sort();
}
