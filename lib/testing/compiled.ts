import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** Below the project, so that its packages are found from there. */
const SCRATCH = fileURLToPath(new URL("../../.handrail", import.meta.url));

export interface Compiled {
  script: string;
  /** The module that the script is told to import, and that shares its modules. */
  told: string;
}

const known = new Map<string, Compiled>();

/**
 * Both as plain JavaScript, compiled once in this process. Tests start children by the hundred, and most of the processor time of a
 * start through tsx goes into finding and compiling what never changes.
 */
export function compiled(script: string, told: string): Compiled {
  const key = `${script}\n${told}`;
  const found = known.get(key) ?? compile(script, told);
  known.set(key, found);
  return found;
}

function compile(script: string, told: string): Compiled {
  mkdirSync(SCRATCH, { recursive: true });
  const outdir = mkdtempSync(join(SCRATCH, "children-"));
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  buildSync({
    entryPoints: { script, told },
    bundle: true,
    splitting: true, // a module that both import is one module
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    outdir,
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
  });
  return { script: join(outdir, "script.mjs"), told: join(outdir, "told.mjs") };
}
