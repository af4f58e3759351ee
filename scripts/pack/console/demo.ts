import { cp } from "node:fs/promises";
import path from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { movedMigrations, packagesIn } from "../code";
import { copyMigrations } from "../migrations";
import { wordsOfAnApp } from "../words";

const PROGRAMS = { sandbox: "demo/sandbox/main.ts", seed: "demo/seed.ts", worker: "demo/worker.ts" };

const [FAST, SMALL] = ["query_compiler_fast_bg", "query_compiler_small_bg"];

/** Prisma's compiler of queries comes twice: the one that is half as large does the same, more slowly. */
const smallCompiler: Plugin = {
  name: "handrail:small-compiler",
  transform(code, id) {
    if (!id.endsWith("/generated/prisma/internal/class.ts")) return undefined;
    if (!code.includes(FAST)) throw new Error(`${id} does not name ${FAST}: Prisma calls its compiler something else.`);
    return code.replaceAll(FAST, SMALL);
  },
};

/**
 * The programs of the demo, complete with what they use: an app that has the console installs nothing for them.
 * @returns the folders of the packages that are in them
 */
export async function bundleDemo(root: string, dir: string): Promise<string[]> {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(Object.entries(PROGRAMS).map(([name, file]) => [name, path.join(root, file)])),
    platform: "node",
    external: /^pg-native$/,
    plugins: [movedMigrations(`"../prisma"`), smallCompiler, wordsOfAnApp],
  });
  const { output } = await bundle.write({ dir, format: "esm", chunkFileNames: "[name]-[hash].js" });
  await bundle.close();
  await copyMigrations(root, path.join(dir, "prisma"));
  await cp(path.join(root, "demo/migrations"), path.join(dir, "migrations"), { recursive: true });
  return packagesIn(output);
}
