import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { applied, type Mutant, whyNotApplicable } from "./mutant";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** All that tests of the engine and of its API, and the attacks on it, read. */
const PARTS = ["app", "demo", "docs", "examples", "lib", "prisma", "proof", "scripts", "package.json", "tsconfig.json"];

/** A copy of the working tree in which mutants are tried out: the tree itself is never touched. */
export class ProjectCopy {
  private constructor(readonly root: string) {}

  /** @param provided what the tests are given, by the name under which they ask for it */
  static async make(root: string, provided: object): Promise<ProjectCopy> {
    await mkdir(root);
    for (const part of PARTS) await cp(join(project, part), join(root, part), { recursive: true });
    await symlink(join(project, "node_modules"), join(root, "node_modules"), "dir");
    await writeFile(join(root, "provided.json"), JSON.stringify(provided));
    return new ProjectCopy(root);
  }

  async whyNotApplicable(mutant: Mutant): Promise<string | undefined> {
    const text = await readFile(join(this.root, mutant.file), "utf8").catch(() => undefined);
    return text === undefined ? "its file does not exist" : whyNotApplicable(mutant, text);
  }

  /** Does the work with the mutant applied, and takes it back. */
  async with<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result> {
    const path = join(this.root, mutant.file);
    const text = await readFile(path, "utf8");
    await writeFile(path, applied(mutant, text));
    try {
      return await work();
    } finally {
      await writeFile(path, text);
    }
  }
}
