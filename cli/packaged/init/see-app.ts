import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { getTsconfig } from "get-tsconfig";
import { Refused } from "../../session/stops";

/** What `handrail init` has to know of an app. */
export interface SeenApp {
  folder: string;
  /** Null: the folder has no package.json. */
  manifest: { text: string; scripts: Record<string, string> } | null;
  /** Names of all packages that it depends on. */
  packages: ReadonlySet<string>;
  /** Null: nothing says whether it is. */
  typescript: boolean | null;
  hasTsconfig: boolean;
  /** Whether `import` is written with the ending `.js`. */
  namesEndings: boolean;
  isModule: boolean;
  /** Of its sources: "src/", or "" for the folder itself. */
  sources: string;
  /** Where handrail.config.ts does not change what its compiler writes. */
  configIn: string;
  usesVitest: boolean;
  library: Library | null;
  server: string | null;
  /** The command that installs packages. */
  install: string;
}

interface Library {
  name: string;
  adapter: string;
  /** As in `handrail/prisma`. */
  entry: string;
  /** What the adapter takes. */
  client: string;
}

const LIBRARIES: Record<string, Library> = {
  "@prisma/client": { name: "Prisma", adapter: "prismaTransactions", entry: "prisma", client: "prisma" },
  "drizzle-orm": { name: "Drizzle", adapter: "drizzleTransactions", entry: "drizzle", client: "db" },
  kysely: { name: "Kysely", adapter: "kyselyTransactions", entry: "kysely", client: "db" },
  knex: { name: "Knex", adapter: "knexTransactions", entry: "knex", client: "knex" },
  typeorm: { name: "TypeORM", adapter: "typeormTransactions", entry: "typeorm", client: "dataSource" },
};
/** The first that is there: NestJS has Express or Fastify below it. */
const SERVERS: Record<string, string> = {
  next: "Next.js",
  "@nestjs/core": "NestJS",
  fastify: "Fastify",
  express: "Express",
  hono: "Hono",
};
const INSTALLS: Record<string, string> = {
  "pnpm-lock.yaml": "pnpm add",
  "yarn.lock": "yarn add",
  "bun.lock": "bun add",
};
/** One of them is there in an app that is written in it. */
const JAVASCRIPT = ["index", "app", "server", "main"]
  .flatMap((name) => [name, `src/${name}`])
  .flatMap((name) => ["js", "mjs", "cjs"].map((ending) => `${name}.${ending}`));
const ENDINGS_NAMED = /^node(16|18|20|next)$/i;

const firstOf = <Value>(table: Record<string, Value>, has: (name: string) => boolean): Value | null =>
  Object.entries(table).find(([name]) => has(name))?.[1] ?? null;

/** @throws Refused for a package.json that cannot be read */
export function seeApp(folder: string): SeenApp {
  const has = (file: string) => existsSync(path.join(folder, file));
  const manifest = manifestOf(folder);
  const { packages } = manifest;
  const hasTsconfig = has("tsconfig.json");
  const compiler = hasTsconfig ? compilerOf(folder) : {};
  const isModule = manifest.read ? manifest.read.type === "module" : true;
  const isCompiledFromSources = packages.has("@nestjs/core") || compiler.rootDir !== undefined;
  return {
    folder,
    manifest: manifest.read && { text: manifest.text, scripts: manifest.read.scripts ?? {} },
    packages,
    typescript: hasTsconfig || packages.has("typescript") ? true : JAVASCRIPT.some(has) ? false : null,
    hasTsconfig,
    namesEndings: isModule && ENDINGS_NAMED.test(compiler.moduleResolution ?? compiler.module ?? "nodenext"),
    isModule,
    sources: has("src") ? "src/" : "",
    configIn: has("src") && isCompiledFromSources ? "src/" : "",
    usesVitest: packages.has("vitest"),
    library: firstOf(LIBRARIES, (name) => packages.has(name)),
    server: firstOf(SERVERS, (name) => packages.has(name)),
    install: firstOf(INSTALLS, has) ?? "npm install",
  };
}

interface Manifest {
  type?: string;
  scripts?: Record<string, string>;
  dependencies?: object;
  devDependencies?: object;
}

function manifestOf(folder: string): { text: string; read: Manifest | null; packages: Set<string> } {
  const file = path.join(folder, "package.json");
  if (!existsSync(file)) return { text: "", read: null, packages: new Set() };
  const text = readFileSync(file, "utf8");
  try {
    const read: Manifest = JSON.parse(text);
    return { text, read, packages: new Set(Object.keys({ ...read.dependencies, ...read.devDependencies })) };
  } catch (error) {
    throw new Refused(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

interface Compiler {
  module?: string;
  moduleResolution?: string;
  rootDir?: string;
}

/** One that is broken says nothing; its compiler will. */
function compilerOf(folder: string): Compiler {
  try {
    return (getTsconfig(folder)?.config.compilerOptions ?? {}) as Compiler;
  } catch {
    return {};
  }
}
