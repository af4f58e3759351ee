import { readdir, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { StartError } from "../start-error";
import { ROOT, startChild } from "./children";
import type { Begin } from "./launch";
import { say } from "./say";
import { hasTools } from "./tools";

/** What the built console is made from. A folder's own time changes when a file in it goes away. */
const SOURCES = [
  "app",
  "components",
  "lib",
  "workflows",
  "instrumentation.ts",
  "next.config.js",
  "proxy.ts",
  "postcss.config.mjs",
  "package-lock.json",
];
const BUILD_ID = path.join(ROOT, ".next/BUILD_ID");
export const NEXT = path.join(ROOT, "node_modules/next/dist/bin/next");

/**
 * Builds the console unless the last build is newer than everything it is made from. An install without development
 * dependencies serves the build that it was given: copied files say nothing by their times.
 */
export async function buildConsole(begin: Begin, env: Record<string, string>): Promise<void> {
  if (await isBuilt()) return;
  if (!hasTools()) return refuseUnbuilt();
  say("Building the console: about half a minute, and only after a change …");
  const startedAt = new Date();
  const build = begin(() => startChild("build", { args: [NEXT, "build"], env, output: "kept" }));
  const how = await build.ended;
  if (how !== "exit code 0")
    throw new StartError(`${build.output()}\nThe console could not be built (${how}); see above.`);
  await utimes(BUILD_ID, startedAt, startedAt); // what was changed during the build may not be in it
}

async function refuseUnbuilt(): Promise<void> {
  if (await modifiedAt(BUILD_ID)) return;
  throw new StartError(
    "The console is not built, and `npm ci --omit=dev` leaves out what builds it. Run `npm ci && npm run build` " +
      "(elsewhere: copy .next and lib/generated here), then start again.",
  );
}

/** Whether the last build is newer than everything that the console is made from. */
export async function isBuilt(): Promise<boolean> {
  const changed = Math.max(...(await Promise.all(SOURCES.map((source) => newest(path.join(ROOT, source))))));
  return (await modifiedAt(BUILD_ID)) > changed;
}

async function newest(file: string): Promise<number> {
  const entries = await readdir(file, { withFileTypes: true }).catch(() => []);
  const inside = entries
    .filter(({ name }) => !/\.test\.tsx?$/.test(name))
    .map(({ name }) => newest(path.join(file, name)));
  return Math.max(await modifiedAt(file), ...(await Promise.all(inside)));
}

/** 0 for what isn't there. */
async function modifiedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
