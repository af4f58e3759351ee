import { posix } from "node:path";
import { parseAst } from "vite";

/** One import, export-from, `import()` or `import("…").Type`. */
export interface Import {
  specifier: string;
  /** A path from the project's root, with its ending where the file exists; a package's name as written. */
  target: string;
  kind: "file" | "package";
  typeOnly: boolean;
  line: number;
}

/** A name as the code uses it: `Date.now`, `.$queryRaw` (of anything), `fetch()`, `new Date()`, `"use server"`. */
interface Mention {
  name: string;
  line: number;
}

export interface SourceFile {
  path: string;
  imports: Import[];
  mentions: Mention[];
}

/** The few fields read here of the syntax tree that Vite's parser makes (ESTree with TypeScript). */
interface Node {
  type: string;
  start: number;
  name?: string;
  value?: unknown;
  directive?: string;
  importKind?: string;
  exportKind?: string;
  specifiers?: Node[];
  source?: Node | null;
  object?: Node;
  property?: Node;
  callee?: Node;
  arguments?: Node[];
}

export function readSourceFile(path: string, text: string, paths: ReadonlySet<string>): SourceFile {
  const file: SourceFile = { path, imports: [], mentions: [] };
  const lineOf = lineCounter(text);
  visit(parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }, path), (node) => {
    const specifier = importedFrom(node);
    if (specifier !== undefined)
      file.imports.push({ ...resolve(path, specifier, paths), typeOnly: isTypeOnly(node), line: lineOf(node.start) });
    const name = mentionedBy(node);
    if (name !== undefined) file.mentions.push({ name, line: lineOf(node.start) });
  });
  return file;
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see);
  else if (typeof value === "object" && value !== null) {
    if ("type" in value) see(value as Node);
    for (const child of Object.values(value)) visit(child, see);
  }
}

const IMPORTING = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
]);

function importedFrom(node: Node): string | undefined {
  const specifier = IMPORTING.has(node.type) ? node.source?.value : undefined;
  return typeof specifier === "string" ? specifier : undefined;
}

function isTypeOnly(node: Node): boolean {
  if (node.type === "TSImportType") return true;
  if (node.importKind === "type" || node.exportKind === "type") return true;
  const names = node.specifiers ?? [];
  return names.length > 0 && names.every((name) => name.importKind === "type" || name.exportKind === "type");
}

function mentionedBy(node: Node): string | undefined {
  switch (node.type) {
    case "MemberExpression":
      return `${node.object?.name ?? ""}.${node.property?.name ?? ""}`;
    case "CallExpression":
      return node.callee?.name && `${node.callee.name}()`;
    case "NewExpression":
      return node.callee?.name && `new ${node.callee.name}(${node.arguments?.length ? "…" : ""})`;
    case "ExpressionStatement":
      return node.directive && `"${node.directive}"`;
    case "TSModuleDeclaration":
      return "declare module";
    case "Identifier":
    case "JSXIdentifier":
      return node.name;
    default:
      return undefined;
  }
}

const ENDINGS = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];

function resolve(from: string, specifier: string, paths: ReadonlySet<string>) {
  if (!/^(\.|@\/)/.test(specifier)) return { specifier, target: specifier, kind: "package" as const };
  const bare = specifier.startsWith("@/")
    ? posix.normalize(specifier.slice(2))
    : posix.join(posix.dirname(from), specifier);
  const candidates = [...ENDINGS.map((ending) => bare + ending), bare.replace(/\.js(x?)$/, ".ts$1")];
  return { specifier, target: candidates.find((path) => paths.has(path)) ?? bare, kind: "file" as const };
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [...text.matchAll(/^/gm)].map((match) => match.index);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}
