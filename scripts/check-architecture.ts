/** Holds the law of ARCHITECTURE.md: who may import whom, and what may be said where. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findMissingPaths, textOfToday } from "./architecture/documents";
import { findRings } from "./architecture/rings";
import { findViolations, type Violation } from "./architecture/rules";
import { readSourceFile } from "./architecture/source-file";

const root = fileURLToPath(new URL("..", import.meta.url));
const NOT_OURS = new Set(["node_modules", "generated", "test-results", "playwright-report"]);

/** Every file that is ours, as paths from the root with "/" between folders. */
function listFiles(folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".") || NOT_OURS.has(entry.name)) return [];
    return entry.isDirectory() ? listFiles(`${folder}${entry.name}/`) : [`${folder}${entry.name}`];
  });
}

const exists = (path: string) => existsSync(join(root, path));
const read = (path: string) => readFileSync(join(root, path), "utf8");

function main(): void {
  const paths = listFiles();
  const known = new Set(paths);
  const sources = paths
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
    .map((path) => readSourceFile(path, read(path), known));
  const documents = paths.filter((path) => /^((docs|examples|proof)\/.*|[^/]+)\.md$/.test(path));
  const violations = [
    ...findViolations(sources),
    ...findRings(sources),
    ...documents.flatMap((path) => findMissingPaths(path, textOfToday(path, read(path)), exists)),
  ];
  for (const violation of violations) console.log(asText(violation));
  console.log(`${sources.length} files and ${documents.length} documents read, ${violations.length} violations`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}

const asText = ({ path, line, does, why }: Violation) => `${path}:${line} ${does}\n    ${why}`;

main();
