/** One deliberate breakage of the engine: a single replacement in one file, which some test must notice. */
export interface Mutant {
  name: string;
  /** The promise of ARCHITECTURE.md that is broken. */
  promise: "P1" | "P2" | "P3" | "P4" | "P5" | "P6" | "P7" | "P8" | "P9" | "P10";
  /** What is broken, as a sentence. */
  breaks: string;
  /** From the root of the project. */
  file: string;
  /** Exact text, which occurs in the file once. */
  find: string;
  replace: string;
  /** The test files that are run, one of which must fail. */
  killedBy: string[];
}

/** Why a mutant cannot be applied to this text; undefined when it can. */
export function whyNotApplicable({ find, replace }: Mutant, text: string): string | undefined {
  if (find === replace) return "it changes nothing";
  const times = text.split(find).length - 1;
  return times === 1 ? undefined : `its text stands there ${times} times instead of once`;
}

export const applied = ({ find, replace }: Mutant, text: string): string => text.split(find).join(replace);
