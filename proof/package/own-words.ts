import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** Commands of this repository: an app with the packages has none of them. The licence texts and Next's own code have others. */
const OF_REPOSITORY = /.{0,40}\bnpm (run (audit|demo|dev|doctor|handrail|migrate|start|worker)|start)\b.{0,20}/g;

/** Where the code below a folder speaks of this repository's commands. */
export async function foreignWords(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => /\.(c|m)?js$|\.d\.ts$|\.html$|\.rsc$/.test(file) && !file.includes("node_modules"),
  );
  const found = await Promise.all(
    files.map(async (file) =>
      [...(await readFile(path.join(folder, file), "utf8")).matchAll(OF_REPOSITORY)].map(
        ([text]) => `${file}: ${text}`,
      ),
    ),
  );
  return found.flat();
}
