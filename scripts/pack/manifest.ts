import { readFile } from "node:fs/promises";
import path from "node:path";
import { ENTRIES } from "./entries";

interface Ours {
  version: string;
  description: string;
  license: string;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
}

/** What an app's own code may hold as well, or passes its instances of. Everything else is in the package's own files. */
const DEPENDENCIES = ["pg", "@types/pg"];

export interface PackageManifest extends Pick<Ours, "version" | "peerDependencies"> {
  dependencies: Record<string, string>;
}

/** The package.json of the package, from this repository's. */
export async function manifestOf(root: string): Promise<PackageManifest> {
  const ours: Ours = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  const { version, description, license, engines, peerDependencies, peerDependenciesMeta } = ours;
  const pinned = { ...ours.devDependencies, ...ours.dependencies };
  return {
    name: "handrail",
    version,
    description,
    license,
    keywords: ["workflow", "durable execution", "postgres", "postgresql", "queue", "retry", "saga"],
    type: "module",
    sideEffects: false,
    engines,
    exports: {
      ...Object.fromEntries(
        Object.keys(ENTRIES).map((name) => [name === "handrail" ? "." : `./${name}`, filesOf(name)]),
      ),
      "./package.json": "./package.json",
    },
    bin: { handrail: "dist/command.js" },
    files: ["dist", "migrations", "CHANGELOG.md", "THIRD-PARTY-NOTICES.md"],
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, `^${pinned[name]}`])),
    peerDependencies,
    peerDependenciesMeta,
  } as PackageManifest;
}

const filesOf = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });
