import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** Below the project, so that its packages are found from there. */
const SCRATCH = fileURLToPath(new URL("../../../.handrail", import.meta.url));

const known = new Map<string, string[]>();

/**
 * Modules as plain JavaScript, in the order of their paths, compiled once in this process; what two of them import is
 * one module. Tests start children by the hundred, and tsx spends most of a start finding and compiling what never
 * changes. In compiled code, `import.meta.url` is the compiled file's.
 */
export function compiled(...modules: string[]): string[] {
  const key = modules.join("\n");
  const found = known.get(key) ?? compile(modules);
  known.set(key, found);
  return found;
}

function compile(modules: readonly string[]): string[] {
  mkdirSync(SCRATCH, { recursive: true });
  const folder = mkdtempSync(join(SCRATCH, "children-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // As deep as lib/store/database, from where code finds the folder of the migrations.
  const outdir = join(folder, "modules");
  buildSync({
    entryPoints: modules.map((path, index) => ({ in: path, out: `${index}` })),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    outdir,
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
  });
  return modules.map((_, index) => join(outdir, `${index}.mjs`));
}
