import type { Mutant } from "./mutant";
import type { ProjectCopy } from "./project-copy";
import { type FailedTest, runTests } from "./run-tests";

/** The result of one mutant. */
export type Trial = { mutant: Mutant; seconds: number } & (
  | { outcome: "killed"; by: FailedTest }
  | { outcome: "survived" }
  /** The mutant itself is faulty, not the engine. */
  | { outcome: "invalid"; because: string }
);

/** A test has to fail, or not to end: a file that cannot be loaded proves nothing. */
async function tryMutant(copy: ProjectCopy, mutant: Mutant): Promise<Trial> {
  const { failed, passed, trouble, seconds } = await copy.with(mutant, () =>
    runTests(copy.root, mutant.killedBy, { bail: true }),
  );
  const [by] = failed;
  if (by) return { mutant, seconds, outcome: "killed", by };
  if (trouble !== undefined || passed === 0)
    return { mutant, seconds, outcome: "invalid", because: trouble ?? "no test ran" };
  return { mutant, seconds, outcome: "survived" };
}

/** Tries them in these copies at once, one mutant in each; gives the trials in the order of the mutants. */
export async function tryAll(
  copies: readonly ProjectCopy[],
  mutants: readonly Mutant[],
  onTrial: (trial: Trial) => void,
): Promise<Trial[]> {
  const queue = [...mutants.entries()];
  const trials: Trial[] = [];
  const work = async (copy: ProjectCopy) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const trial = await tryMutant(copy, next[1]);
      trials[next[0]] = trial;
      onTrial(trial);
    }
  };
  await Promise.all(copies.map(work));
  return trials;
}
