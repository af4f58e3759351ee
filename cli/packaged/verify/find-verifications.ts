import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Verification, VerifyOptions } from "../../../lib/verify/verify";
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

/** A verification, with the file that it was found in. */
export interface FoundVerification extends Verification {
  readonly file: string;
}

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
export async function findVerifications(folder: string, workflow?: string): Promise<FoundVerification[]> {
  const files = filesIn(folder);
  if (files.length === 0)
    throw new Refused(
      `There is no file *.verify.ts in ${folder}. Write one beside a workflow, such as workflows/hello.verify.ts:\n\n${A_FILE.replaceAll(/^(?=.)/gm, "  ")}\n`,
    );
  const all: FoundVerification[] = [];
  for (const file of files) all.push({ file, ...verificationOf(file, await loadModule(file)) });
  const wanted = all.filter(({ workflow: { name } }) => workflow === undefined || name === workflow);
  if (wanted.length > 0) return wanted;
  const names = all.map(({ workflow: { name } }) => name).join(", ");
  throw new Refused(`No file *.verify.ts verifies "${workflow}": they verify ${names}.`);
}

/**
 * The workflow of the same file in another folder; undefined if there is no such file: the workflow is new.
 * @throws Refused for what is no folder of an older build
 */
export async function olderBuild(
  { file }: Pick<FoundVerification, "file">,
  folder: string,
  older: string,
): Promise<VerifyOptions["against"]> {
  if (!existsSync(older))
    throw new Refused(
      `There is no folder ${older}. --against takes one with an older build of this app, such as \`git worktree add ${older} v1.4.0\` makes, with its packages installed.`,
    );
  const there = path.resolve(older, path.relative(folder, file));
  return existsSync(there) ? verificationOf(there, await loadModule(there)).workflow : undefined;
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
