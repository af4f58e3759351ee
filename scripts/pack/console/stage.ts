import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { copyMigrations } from "../migrations";
import { writeWordsOfAnApp } from "../words";

/** What the console is built from: neither an app nor the demo is in it. */
const SOURCES = [
  "scripts/launch/sources.mjs",
  "app",
  "components",
  "lib",
  "instrumentation.ts",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
];
const NOT_BUILT = /\.test\.tsx?$|\/(testing|testkit|generated)$/;

/** Copies the sources of the console into a folder below the repository, whose packages are found from there. */
export async function stageSources(root: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const filter = (file: string) => !NOT_BUILT.test(file);
  for (const name of SOURCES) await cp(path.join(root, name), path.join(folder, name), { recursive: true, filter });
  await writeWordsOfAnApp(folder);
  await cp(path.join(root, "next.config.js"), path.join(folder, "repository.config.js"));
  await cp(fileURLToPath(new URL("source", import.meta.url)), folder, { recursive: true });
  await copyMigrations(root, path.join(folder, "prisma/migrations"));
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
}
