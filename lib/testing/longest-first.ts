import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They take minutes, which the length of their text, the best guess on a machine that has not run them yet, does not tell. */
const LONGEST = /\/(faults|every-fault-point|any-language|console-killed|machines|upgrade)\.crash\.test\.ts$/;

/** A long file that begins last runs alone at the end, while the other cores have nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [long, others] = [true, false].map((is) => sorted.filter(({ moduleId }) => LONGEST.test(moduleId) === is));
    return [...(long ?? []), ...(others ?? [])];
  }
}
