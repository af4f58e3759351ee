import { execFile } from "node:child_process";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { wordsOfAnApp } from "../words";
import { bundledPackages } from "./included";
import { stageSources } from "./stage";

/**
 * Traced by Next, and used by what the console does not have: the image optimiser, fonts from elsewhere, code for the edge
 * runtime, React's experimental channel, its server for browsers, what builds, reloads and tests in development, traces of the build.
 */
const NEVER_LOADED = new RegExp(
  [
    "/node_modules/(sharp|@img|detect-libc|semver|next/dist/server/capsize-font-metrics\\.json)$",
    "/next/dist/compiled/(edge-runtime|@edge-runtime/primitives|conf|tar|@mswjs)$",
    "/next/dist/server/dev/(hot-reloader-(turbopack|webpack)|middleware-(turbopack|webpack)|on-demand-entry-handler|turbopack-utils)\\.js$",
    "/next/dist/server/dev/browser-logs/(receive-logs|source-map)\\.js$",
    "-turbo-experimental\\.runtime\\.prod\\.js$",
    "/react-dom/(server|cjs/react-dom-server)\\.browser(\\.production)?\\.js$",
    "\\.(map|nft\\.json)$",
  ].join("|"),
);

/**
 * Builds the console in a folder that is removed afterwards, so that the repository's own build stays as it is.
 * @param to gets it, complete with the packages that it loads
 * @returns the folders of the packages that are bundled into it
 */
export async function buildStandalone(root: string, to: string): Promise<string[]> {
  const source = `${to}-source`;
  await rm(source, { recursive: true, force: true });
  try {
    await stageSources(root, source);
    const bundled = await bundledPackages(root, source);
    await nextBuild(root, source);
    const standalone = path.join(source, ".next/standalone");
    // Next links some packages, and links are not packed.
    const options = { recursive: true, dereference: true, filter: (file: string) => !NEVER_LOADED.test(file) };
    await cp(path.join(standalone, path.relative(root, source)), to, options);
    await cp(path.join(standalone, "node_modules"), path.join(to, "node_modules"), options);
    await cp(path.join(source, ".next/static"), path.join(to, ".next/static"), options);
    await forgetRoot(root, path.join(to, "server.js"));
    return bundled;
  } finally {
    await rm(source, { recursive: true, force: true });
  }
}

async function nextBuild(root: string, cwd: string): Promise<void> {
  const next = path.join(root, "node_modules/next/dist/bin/next");
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  await promisify(execFile)(process.execPath, [next, "build"], { cwd, env }).catch(({ stdout, stderr }) => {
    throw new Error(`The console cannot be built.\n${stdout}${stderr}`);
  });
}

/** Next writes its whole configuration into the server: there, the folder of the build means nothing. */
async function forgetRoot(root: string, file: string): Promise<void> {
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replaceAll(JSON.stringify(path.resolve(root)), `"."`));
}

/** The program that starts it. */
export async function bundleServer(root: string, file: string): Promise<void> {
  const input = fileURLToPath(new URL("server.ts", import.meta.url));
  const bundle = await rolldown({ cwd: root, input, platform: "node", plugins: [wordsOfAnApp] });
  await bundle.write({ file, format: "esm" });
  await bundle.close();
}
