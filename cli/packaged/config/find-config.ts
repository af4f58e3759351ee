import { existsSync } from "node:fs";
import path from "node:path";
import { Refused } from "../../session/stops";

const NAME = "handrail.config";
const ENDINGS = [".ts", ".mts", ".js", ".mjs"];
const FOLDERS = ["", "src"];

const AN_APP = `import { defineConfig } from "handrail/config";
import { hello } from "./workflows/hello";

export default defineConfig({ workflows: [hello] });`;

/** Those of an app: the first is taken. */
export const configsIn = (folder: string): string[] =>
  FOLDERS.flatMap((inside) => ENDINGS.map((ending) => path.join(folder, inside, NAME + ending))).filter((file) =>
    existsSync(file),
  );

/**
 * The file that names an app's workflows.
 * @param given relative to the folder, instead of handrail.config.ts there
 * @throws Refused with what to write
 */
export function findConfig(folder: string, given?: string): string {
  if (given !== undefined) {
    const file = path.resolve(folder, given);
    if (existsSync(file)) return file;
    throw new Refused(`There is no file ${file}, which --config names.`);
  }
  const [found] = configsIn(folder);
  if (found) return found;
  throw new Refused(
    `There is no ${NAME}.ts in ${folder} or its src (nor ${NAME}${ENDINGS.slice(1).join(`, ${NAME}`)}). \`npx handrail init\` writes one, ` +
      `with a first workflow; --config names another file. It has to look like this:\n\n${AN_APP.replaceAll(/^(?=.)/gm, "  ")}\n`,
  );
}
