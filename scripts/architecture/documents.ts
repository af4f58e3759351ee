import { posix } from "node:path";
import type { Violation } from "./rules";

/** In backquotes, below a folder of ours: `lib/worker/loop/worker.ts`, `lib/engine/`. Patterns with `*` or `…` are not paths. */
const PATH = /`((?:app|components|demo|deploy|docs|e2e|examples|lib|prisma|proof|scripts)\/[\w./()[\]-]*)`/g;
/** A document or configuration of the root: `CONTRIBUTING.md`, `vitest.config.ts`. */
const ROOT_FILE = /`([A-Z]+\.md|[\w-]+\.config\.\w+|(?:biome|package|tsconfig)\.json)`/g;
/** From the document's folder: [Access](access.md#tokens), ![Runs](pictures/runs.png). Pages of the web and parts of the page itself are not ours to check. */
const LINK = /\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g;

const WHY = "A document that names what is not there sends its reader astray.";

/** The paths that a document names or links to and that do not exist. */
export function findMissingPaths(document: string, text: string, exists: (path: string) => boolean): Violation[] {
  const linked = (path: string) => posix.join(posix.dirname(document), path);
  return text
    .split("\n")
    .flatMap((line, index) =>
      [
        ...[PATH, ROOT_FILE].flatMap((pattern) => [...line.matchAll(pattern)].map((match) => match[1] ?? "")),
        ...[...line.matchAll(LINK)].map((match) => linked(match[1] ?? "")),
      ]
        .filter((path) => !exists(path))
        .map((path) => ({ path: document, line: index + 1, does: `names ${path}, which does not exist`, why: WHY })),
    );
}

/** Text about current files: of the changelog only what is unreleased, since older releases may name removed files. */
export function textOfToday(document: string, text: string): string {
  return document === "CHANGELOG.md" ? text.split(/^(?=## )/m, 2).join("") : text;
}
