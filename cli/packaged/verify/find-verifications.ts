import { readdirSync } from "node:fs";
import path from "node:path";
import type { Verification } from "../../../lib/verify/verify";
import { Refused } from "../../session/stops";
import { loadModule } from "../config/load-config";

const FILE = /\.verify\.(ts|mts|js|mjs)$/;
const OTHERS = new Set(["node_modules", "dist", "build", "coverage"]);

const A_FILE = `import { defineVerification } from "handrail/verify";
import { hello } from "./hello";

export default defineVerification(hello, {
  inputs: [{ name: "Ada" }],
  world: () => ({ services: {}, observe: () => null }),
});`;

/** Those of an app, in the order of their names. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name.startsWith(".") || OTHERS.has(entry.name) ? [] : filesIn(place);
      return FILE.test(entry.name) ? [place] : [];
    })
    .sort();
}

/**
 * The verifications of the app in this folder, or those of one workflow.
 * @throws Refused with what to write
 */
export async function findVerifications(folder: string, workflow?: string): Promise<Verification[]> {
  const files = filesIn(folder);
  if (files.length === 0)
    throw new Refused(
      `There is no file *.verify.ts in ${folder}. Write one beside a workflow, such as workflows/hello.verify.ts:\n\n${A_FILE.replaceAll(/^(?=.)/gm, "  ")}\n`,
    );
  const all: Verification[] = [];
  for (const file of files) all.push(verificationOf(file, await loadModule(file)));
  const wanted = all.filter(({ workflow: { name } }) => workflow === undefined || name === workflow);
  if (wanted.length > 0) return wanted;
  const names = all.map(({ workflow: { name } }) => name).join(", ");
  throw new Refused(`No file *.verify.ts verifies "${workflow}": they verify ${names}.`);
}

/** A CommonJS module's `exports` is its default export, and may have one itself. */
function verificationOf(file: string, loaded: unknown): Verification {
  const { default: first } = (loaded ?? {}) as { default?: unknown };
  const found = ((first as { default?: unknown } | undefined)?.default ?? first) as Partial<Verification> | undefined;
  if (found?.workflow && found.options) return found as Verification;
  throw new Refused(
    `The default export of ${path.basename(file)} is no verification: write \`export default defineVerification(workflow, { … });\`.`,
  );
}
