import type { Violation } from "./rules";
import type { SourceFile } from "./source-file";

const WHY =
  "Folders that need each other are one folder in two places: what both need moves to where the arrow begins.";

/** Primitives are one folder: a button has a tooltip, and a window has buttons. */
const ONE_FOLDER = "components/ui/";

/** Imports from one folder of components to another from which arrows lead back. Tests may import anything. */
export function findRings(files: readonly SourceFile[]): Violation[] {
  const arrows = files.filter(({ path }) => isOurs(path) && !/\.test\.tsx?$/.test(path)).flatMap(arrowsOf);
  const next = new Map<string, Set<string>>();
  for (const { from, to } of arrows) next.set(from, (next.get(from) ?? new Set()).add(to));
  return arrows
    .map((arrow) => ({ ...arrow, back: shortestWay(next, arrow.to, arrow.from) }))
    .filter(({ back }) => back !== null)
    .map(({ path, line, from, back }) => ({
      path,
      line,
      does: `closes a ring of folders: ${[from, ...(back ?? [])].join(" → ")}`,
      why: WHY,
    }));
}

const isOurs = (path: string) => path.startsWith("components/");

const folderOf = (path: string) =>
  path.startsWith(ONE_FOLDER) ? ONE_FOLDER.slice(0, -1) : path.slice(0, path.lastIndexOf("/"));

const arrowsOf = ({ path, imports }: SourceFile) =>
  imports
    .filter(({ target }) => isOurs(target) && folderOf(target) !== folderOf(path))
    .map(({ target, line }) => ({ path, line, from: folderOf(path), to: folderOf(target) }));

/** The folders on the shortest way, both ends included; null: there is none. */
function shortestWay(next: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): string[] | null {
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    const last = way.at(-1) as string;
    if (last === to) return way;
    for (const folder of next.get(last) ?? []) {
      if (seen.has(folder)) continue;
      seen.add(folder);
      ways.push([...way, folder]);
    }
  }
  return null;
}
