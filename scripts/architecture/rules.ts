import { type Layer, OWN_FOLDER } from "./layer";
import { layerOf } from "./layers";
import type { Import, SourceFile } from "./source-file";

export interface Violation {
  path: string;
  line: number;
  /** What the file does, as the rest of a sentence that begins with its name. */
  does: string;
  why: string;
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const isProduct = (path: string) =>
  /^(app|components|lib|demo)\/|^(handrail\.config|instrumentation|load-app|proxy)\.ts$/.test(path) &&
  !/^lib\/(testing|testkit|verify)\//.test(path) &&
  !isTest(path);
const startsWithAny = (text: string, prefixes: readonly string[]) => prefixes.some((prefix) => text.startsWith(prefix));

/** Every violation of the law in these files, sorted by path and line. */
export function findViolations(files: readonly SourceFile[]): Violation[] {
  const found = files.flatMap((file) => [
    ...againstLayer(file),
    ...againstImportRules(file),
    ...againstMentionRules(file),
    ...againstNames(file),
  ]);
  const all = [...found, ...againstOneCryptoFile(files), ...againstUnused(files)];
  return all.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

function againstLayer(file: SourceFile): Violation[] {
  if (isTest(file.path)) return [];
  const layer = layerOf(file.path);
  if (layer)
    return file.imports
      .filter((found) => !layerAllows(layer, file.path, found))
      .map(({ target, line, typeOnly }) => ({
        path: file.path,
        line,
        does: `imports ${typeOnly ? "types of " : ""}${target}`,
        why: layer.why,
      }));
  if (!isProduct(file.path) || !file.path.includes("/")) return [];
  return [
    {
      path: file.path,
      line: 1,
      does: "is in no layer",
      why: "A place of its own in lib needs a row in scripts/architecture/layers.ts that says what it may import.",
    },
  ];
}

function layerAllows(layer: Layer, path: string, found: Import): boolean {
  if (found.kind === "file") {
    const ownFolder = `${layer.path}${path.slice(layer.path.length).split("/")[0]}/`;
    const may = [...layer.mayImport, ...(found.typeOnly ? (layer.mayImportTypes ?? []) : [])];
    return startsWithAny(
      found.target,
      may.map((prefix) => (prefix === OWN_FOLDER ? ownFolder : prefix)),
    );
  }
  if (!layer.packages) return true;
  return [...layer.packages, ...(found.typeOnly ? (layer.packageTypes ?? []) : [])].some(
    (name) => found.target === name || found.target.startsWith(name.endsWith(":") ? name : `${name}/`),
  );
}

interface ImportRule {
  forbids: (found: Import, path: string) => boolean;
  in: (path: string) => boolean;
  why: string;
}

/** Loaded with the first input that is typed, and configures zod not to evaluate text. */
const CHECKS_INPUTS = "components/domain/start/check-input.ts";

const WEB = ["app/", "components/", "lib/api/", "lib/server", "instrumentation.ts", "proxy.ts"];
const DATABASE = ["lib/store/", "demo/services/", "handrail.config.ts"];
/** The one file of the product that may know the demo. */
const FINDS_THE_DEMO = "load-app.ts";

const importRules: ImportRule[] = [
  {
    forbids: ({ target }) =>
      /^(lib\/testing|lib\/testkit|lib\/verify|e2e|proof|scripts)\//.test(target) || isTest(target),
    in: isProduct,
    why: "Product code never needs what exists to test, measure or build it.",
  },
  {
    forbids: ({ target }) => target.startsWith("demo/"),
    in: (path) => isProduct(path) && !path.startsWith("demo/") && path !== FINDS_THE_DEMO,
    why: "The demo is a guest: the product runs and is published without it.",
  },
  {
    forbids: ({ target }, path) => target.startsWith("demo/sandbox/") && !path.startsWith("demo/sandbox/"),
    in: isProduct,
    why: "The sandbox is the outside world: it is spoken to over sockets.",
  },
  {
    forbids: ({ target }, path) => target.startsWith("app/") && !path.startsWith("app/"),
    in: () => true,
    why: "Routes are the end of every arrow: nothing imports app.",
  },
  {
    forbids: ({ target, typeOnly }) =>
      !typeOnly && (target === "zod" || (target.startsWith("lib/api/contract/") && !/\/caps(\.ts)?$/.test(target))),
    in: (path) =>
      isProduct(path) &&
      path !== CHECKS_INPUTS &&
      startsWithAny(path, ["components/", "lib/api/client/", "lib/api/hooks/"]),
    why: "Browsers load no schemas: they are heavy, and zod tries whether it may evaluate text, which our pages' policy forbids and reports.",
  },
  {
    forbids: ({ target }) => /^lib\/api\/http\/route\b/.test(target),
    in: (path) => isProduct(path) && !startsWithAny(path, ["app/api/", "lib/api/"]),
    why: "The route wrapper is for route handlers.",
  },
  {
    forbids: ({ target }) => /^(next|react)(-dom)?(\/|$)/.test(target),
    in: (path) => isProduct(path) && !startsWithAny(path, WEB),
    why: "Everything below the screens runs without Next and React.",
  },
  {
    forbids: ({ target }) => target === "server-only",
    in: (path) => !path.startsWith("lib/server"),
    why: "server-only throws outside React's server condition: below lib/server it would break worker and tests.",
  },
  {
    forbids: ({ target, typeOnly }) => /^(pg|@prisma\/.*)$/.test(target) && !typeOnly,
    in: (path) => isProduct(path) && !startsWithAny(path, DATABASE),
    why: "Only the store speaks SQL; pools are made at the composition roots.",
  },
  {
    forbids: ({ specifier }) => specifier.startsWith("@/"),
    in: (path) => startsWithAny(path, ["lib/engine/", "lib/store/", "lib/worker/"]),
    why: "Engine, store and worker use relative imports, so that they can be published as a package.",
  },
];

function againstImportRules({ path, imports }: SourceFile): Violation[] {
  return importRules
    .filter((rule) => rule.in(path))
    .flatMap((rule) =>
      imports
        .filter((found) => rule.forbids(found, path))
        .map(({ specifier, line }) => ({ path, line, does: `imports "${specifier}"`, why: rule.why })),
    );
}

interface MentionRule {
  forbids: RegExp;
  in: (path: string) => boolean;
  why: string;
}

const TOOLS = [
  "scripts/",
  "e2e/",
  "proof/bench/",
  "proof/faults/",
  "proof/package/",
  "proof/soak/",
  "examples/",
  "prisma/",
  "lib/testing/",
];
/** `handrail/verify` watches who reads it. */
const mayReadEnvironment = (path: string) =>
  startsWithAny(path, [...TOOLS, "lib/env", "lib/verify/between-steps", "instrumentation.ts"]) ||
  /^[^/]+\.config\.ts$/.test(path) ||
  isTest(path);

const mentionRules: MentionRule[] = [
  {
    forbids: /^(Date\.now|Date\(\)|new Date\(\)|Math\.random|performance\.now|process\..*|fetch\(\)|console\..*)$/,
    in: (path) => path.startsWith("lib/engine/") && !isTest(path),
    why: "The engine is pure: time, chance and the world are arguments.",
  },
  {
    forbids: /^process\.env$/,
    in: (path) => !mayReadEnvironment(path),
    why: "Configuration is read and checked in one place, lib/env.ts.",
  },
  {
    forbids: /^console\./,
    in: (path) => !startsWithAny(path, [...TOOLS, "lib/log", "demo/sandbox/main"]),
    why: "The product speaks through lib/log.ts, so that every line has its time, level and run.",
  },
  {
    forbids: /\.\$(query|execute)Raw/,
    in: (path) => isProduct(path) && !startsWithAny(path, ["lib/store/", "lib/adapters/"]),
    why: "SQL lives in lib/store alone; adapters only hand it over.",
  },
  {
    forbids: /^"use server"$/,
    in: () => true,
    why: "There is one way to write, a route handler with a contract; Server Actions would be a second.",
  },
];

function againstMentionRules({ path, mentions }: SourceFile): Violation[] {
  return mentionRules
    .filter((rule) => rule.in(path))
    .flatMap((rule) =>
      mentions
        .filter(({ name }) => rule.forbids.test(name))
        .map(({ name, line }) => ({ path, line, does: `says ${name}`, why: rule.why })),
    );
}

const VAGUE_WORD = /(?:^|[/.-])(manager|helpers?|utils?|common|data|info|misc)(?=[/.-])/;

function againstNames({ path }: SourceFile): Violation[] {
  const vague = VAGUE_WORD.exec(path)?.[1];
  const isBarrel = /(^|\/)index\.tsx?$/.test(path) && path !== "demo/workflows/index.ts";
  return [
    ...(vague
      ? [
          {
            path,
            line: 1,
            does: `is called ${vague}`,
            why: "A name says what the file does, not that it does something.",
          },
        ]
      : []),
    ...(isBarrel
      ? [{ path, line: 1, does: "is an index", why: "No barrels: an import names the file that it needs." }]
      : []),
  ];
}

function againstOneCryptoFile(files: readonly SourceFile[]): Violation[] {
  const hashing = files
    .filter(({ path }) => path.startsWith("lib/engine/") && !isTest(path))
    .flatMap(({ path, imports }) =>
      imports.filter(({ target }) => target === "node:crypto").map(({ line }) => ({ path, line })),
    );
  const why = "One file of the engine hashes; the rest asks it, so that the engine stays easy to move.";
  return hashing.slice(1).map((place) => ({ ...place, does: "imports node:crypto as well", why }));
}

/** What is reached by its place: by Next, by the launcher, by tests, by apps that have the package. */
const ENTRY =
  /^app\/(.*\/)?(page|layout|route|error|loading|not-found)\.tsx?$|^(instrumentation|proxy)\.ts$|\/main\.ts$|^demo\/(seed|worker)\.ts$|\/testing\/|\/fixture\.ts$|^lib\/(adapters|eslint|handlers|library|logs\/logs)[/.]/;
const addsTypes = ({ mentions }: SourceFile) => mentions.some(({ name }) => name === "declare module");

function againstUnused(files: readonly SourceFile[]): Violation[] {
  const product = files.filter(({ path }) => !isTest(path));
  const used = new Set(product.flatMap(({ imports }) => imports.map(({ target }) => target)));
  const why = "What nobody imports, or only its test, is no part of the product.";
  return product
    .filter((file) => isProduct(file.path) && !ENTRY.test(file.path) && !used.has(file.path) && !addsTypes(file))
    .map(({ path }) => ({ path, line: 1, does: "is imported by nobody", why }));
}
