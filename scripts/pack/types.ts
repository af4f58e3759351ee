import { execFile } from "node:child_process";
import { copyFile, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Plugin, rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import * as endpoints from "../../lib/api/endpoints";
import { contractTypes } from "./contract";
import { CLIENTS, CONTRACT, ENTRIES, FOLDERS_OF_CLIENTS, REGISTER } from "./entries";

/**
 * What an app declares in `declare module "handrail"` is merged with interfaces that are exported where they are
 * written, and by `export *`; not with the names in a list of exports, which is how bundlers export.
 */
const keptApart = (register: string): Plugin => ({
  name: "handrail:register",
  resolveId: (id, importer = "") =>
    path.resolve(path.dirname(importer), `${id}.d.ts`) === register
      ? { id: "./register.js", external: "absolute" }
      : undefined,
});

/** Types alone, which would otherwise be a dependency. */
const INLINED = /^@standard-schema\/spec$/;

/** The types of the package. @throws if they need those of a package that is not among `installed` */
export async function bundleTypes(root: string, dir: string, installed: readonly string[]): Promise<void> {
  // Below the project, so that its packages are found from there.
  const emitted = await mkdtemp(`${dir}-types-`);
  try {
    const [ofClients, others] = [true, false].map((are) =>
      Object.entries(ENTRIES).flatMap(([name, file]) => (CLIENTS.includes(name) === are ? [file] : [])),
    ) as [string[], string[]];
    await emit(root, emitted, others);
    await emitClients(root, emitted, ofClients);
    const at = (file: string) => path.join(emitted, file.replace(/\.ts$/, ".d.ts"));
    const bundle = await rolldown({
      cwd: emitted,
      input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, at(file)])),
      platform: "node",
      external: (id) => !/^[./]/.test(id) && !INLINED.test(id),
      plugins: [keptApart(at(REGISTER)), dts({ dtsInput: true, emitDtsOnly: true, generator: "oxc", tsconfig: false })],
    });
    const { output } = await bundle.write({ dir, format: "esm", chunkFileNames: "[name]-[hash].d.ts" });
    await bundle.close();
    const code = output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("\n");
    const imported = [...code.matchAll(/^import .* from "([^."][^"]*)";$/gm)].map(([, id = ""]) => id);
    const foreign = imported.filter(
      (id) => !id.startsWith("node:") && !installed.some((name) => id === name || id.startsWith(`${name}/`)),
    );
    if (foreign.length > 0) throw new Error(`The types of the package need ${foreign.join(", ")}.`);
    await copyFile(at(REGISTER), path.join(dir, "register.d.ts"));
  } finally {
    await rm(emitted, { recursive: true });
  }
}

/** From a copy of what the clients need, where the types of the API are written out. */
async function emitClients(root: string, outDir: string, files: readonly string[]): Promise<void> {
  const copy = await mkdtemp(`${outDir}-clients-`);
  try {
    const filter = (file: string) => !/\.test\.tsx?$/.test(file);
    for (const folder of FOLDERS_OF_CLIENTS)
      await cp(path.join(root, folder), path.join(copy, folder), { recursive: true, filter });
    await writeFile(path.join(copy, CONTRACT), contractTypes(Object.values(endpoints)));
    await cp(path.join(root, "tsconfig.json"), path.join(copy, "tsconfig.json"));
    await emit(copy, outDir, files);
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** A file of types for each file that these come to. */
async function emit(root: string, outDir: string, entries: readonly string[]): Promise<void> {
  const tsconfig = path.join(outDir, "tsconfig.json");
  const compilerOptions = {
    declaration: true,
    emitDeclarationOnly: true,
    incremental: false,
    lib: ["es2024", "dom", "dom.iterable"],
    noEmit: false,
    outDir,
    plugins: [],
    rootDir: root,
    types: ["node"],
  };
  const files = entries.map((file) => path.join(root, file));
  const extended = path.join(root, "tsconfig.json");
  await writeFile(tsconfig, JSON.stringify({ extends: extended, compilerOptions, include: [], exclude: [], files }));
  const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  // It says on stdout what is wrong.
  await promisify(execFile)(process.execPath, [tsc, "-p", tsconfig]).catch(({ stdout }) => {
    throw new Error(`The types of the package cannot be written.\n${stdout}`);
  });
  // Bundlers look for one beside what they read.
  await rm(tsconfig);
}
