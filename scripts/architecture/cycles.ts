import type { SourceFile } from "./source-file";

/** Each ring of imports once, as `a → b → a`, type-only imports included. */
export function findCycles(files: readonly SourceFile[]): string[][] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[][] = [];
  const walk = (path: string, trail: string[]): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) cycles.push([...trail.slice(seenAt), path]);
    if (seenAt >= 0 || done.has(path)) return;
    const targets = new Set(byPath.get(path)?.imports.map((found) => found.target));
    for (const target of targets) if (byPath.has(target)) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const file of files) walk(file.path, []);
  return cycles;
}
