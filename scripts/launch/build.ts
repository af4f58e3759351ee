import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { StartError } from "../start-error";
import { ROOT, startChild } from "./children";
import type { Begin } from "./launch";
import { say } from "./say";
import { fingerprintOf } from "./sources.mjs";
import { hasTools } from "./tools";

const BUILD_ID = path.join(ROOT, ".next/BUILD_ID");
export const NEXT = path.join(ROOT, "node_modules/next/dist/bin/next");

/**
 * Builds the console unless there is a build of these sources. An install without development dependencies serves the build
 * that it was given.
 */
export async function buildConsole(begin: Begin, env: Record<string, string>): Promise<void> {
  if (await isBuilt()) return;
  if (!hasTools()) return refuseUnbuilt();
  say("Building the console: about half a minute, and only after a change …");
  const build = begin(() => startChild("build", { args: [NEXT, "build"], env, output: "kept" }));
  const how = await build.ended;
  if (how !== "exit code 0")
    throw new StartError(`${build.output()}\nThe console could not be built (${how}); see above.`);
}

function refuseUnbuilt(): void {
  if (existsSync(BUILD_ID)) return;
  throw new StartError(
    "The console is not built, and `npm ci --omit=dev` leaves out what builds it. Run `npm ci && npm run build` " +
      "(elsewhere: copy .next and lib/generated here), then start again.",
  );
}

/** Whether the last build is of what the console is made from now. */
export async function isBuilt(): Promise<boolean> {
  const built = await readFile(BUILD_ID, "utf8").catch(() => undefined);
  return built === fingerprintOf(ROOT);
}
