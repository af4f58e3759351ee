import type { Violation } from "./rules";

/** In backquotes, below a folder that holds code: `lib/worker/worker.ts`, `lib/engine/`. Patterns with `*` or `…` are not paths. */
const PATH = /`((?:app|components|lib|workflows|sandbox|prisma|e2e|bench|docs|scripts)\/[\w./()[\]-]*)`/g;

const WHY = "A document that names what is not there sends its reader astray.";

/** The paths that a document names and that do not exist. */
export function findMissingPaths(document: string, text: string, exists: (path: string) => boolean): Violation[] {
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(PATH)]
      .map((match) => match[1] ?? "")
      .filter((path) => !exists(path))
      .map((path) => ({ path: document, line: index + 1, does: `names ${path}, which does not exist`, why: WHY })),
  );
}
