import path from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { COMMAND, EMBEDDED, ENTRIES, LOADER } from "./entries";
import { wordsOfAnApp } from "./words";

/** As `migrationsFolder` writes it, and where the package has them: beside its code. */
const HERE = `"../../../../prisma/migrations"`;
const THERE = `"../../migrations"`;

/** @param there as code beside the file that is written finds them */
export const movedMigrations = (there: string): Plugin => ({
  name: "handrail:migrations",
  transform(code, id) {
    if (!id.endsWith("/known-migrations.ts")) return undefined;
    if (!code.includes(HERE)) throw new Error(`${id} does not say ${HERE}: the package would not find its migrations.`);
    return code.replace(HERE, there);
  },
});

/**
 * The code of the package, with all that it uses but `installed`.
 * @returns the folders of the packages that are in it
 */
export async function bundleCode(root: string, dir: string, installed: RegExp): Promise<string[]> {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      Object.entries({ ...ENTRIES, command: COMMAND, embedded: EMBEDDED, "load-config": LOADER }).map(
        ([name, file]) => [name, path.join(root, file)],
      ),
    ),
    platform: "node",
    external: installed,
    plugins: [movedMigrations(THERE), wordsOfAnApp],
  });
  // Editors read docstrings in the types; in the code, browsers would load them.
  const comments = { jsdoc: false };
  const { output } = await bundle.write({ dir, format: "esm", chunkFileNames: "[name]-[hash].js", comments });
  await bundle.close();
  return packagesIn(output);
}

/** The folders of the packages that a bundle has modules of. */
export function packagesIn(output: readonly { type: string; modules?: object }[]): string[] {
  const modules = output.flatMap(({ modules = {} }) => Object.keys(modules));
  return [...new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []))].sort();
}
