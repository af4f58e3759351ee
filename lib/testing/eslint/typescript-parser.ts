import Module, { createRequire } from "node:module";
import type { Linter } from "eslint";

type Resolve = (request: string, ...rest: unknown[]) => string;

/**
 * @typescript-eslint/parser on the TypeScript that it can read: this repository's own, 7, has no programming interface.
 * An app that lints has an older one as `typescript`.
 */
export const typescriptParser: Linter.Parser = (() => {
  const loader = Module as unknown as { _resolveFilename: Resolve };
  const resolve = loader._resolveFilename;
  loader._resolveFilename = (request, ...rest) =>
    resolve(request === "typescript" ? "typescript-5.6" : request, ...rest);
  try {
    return createRequire(import.meta.url)("@typescript-eslint/parser");
  } finally {
    loader._resolveFilename = resolve;
  }
})();
