import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They take minutes, which the length of their text, the best guess on a machine that has not run them yet, does not tell. */
const LONGEST = ["faults", "any-language", "every-fault-point"].map((name) => `/${name}.crash.test.ts`);

/** A long file that begins late runs alone at the end, while the other cores have nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
