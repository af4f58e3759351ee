import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They take minutes, which the length of their text, the best guess without earlier timings, does not show. */
const LONGEST = [
  "faults.crash",
  "any-language.crash",
  "every-fault-point.crash",
  "agreement.crash",
  "samples.db",
  "package.db",
].map((name) => `/${name}.test.ts`);

/** A long file that begins late runs alone at the end, while the other cores are idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
