import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "../package/installed-app";

const EXAMPLES = path.join(ROOT, "examples");

/**
 * The example's folder, in a new one beside its test, far from this repository.
 * @param tarball the packed package, for those that install it
 */
export async function copyOf(example: string, tarball?: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-example-"));
  await cp(path.join(EXAMPLES, "crash-test.mjs"), path.join(folder, "crash-test.mjs"));
  const app = path.join(folder, example);
  const filter = (file: string) => !file.includes("node_modules");
  await cp(path.join(EXAMPLES, example), app, { recursive: true, filter });
  const manifest = path.join(app, "package.json");
  const text = await readFile(manifest, "utf8");
  await writeFile(manifest, text.replace(/file:.*\/handrail-[^"]+/, `file:${tarball}`));
  return app;
}
