import { standingSteps } from "@/components/domain/run/rerun-split";
import type { Step } from "@/lib/api/contract/run";

/** A step of both runs, or of one of them. */
export interface StepPair {
  name: string;
  here: Step | null;
  there: Step | null;
  /** In both, but at another place in the order. */
  moved: boolean;
}

/**
 * The steps of two runs side by side, in the order of their first occurrence. Each name occurs once among the current
 * steps, so the longest common subsequence of names is the longest increasing subsequence of their places: 5,000 steps
 * take no time.
 */
export function alignSteps(here: Step[], there: Step[]): StepPair[] {
  const ours = standingSteps(here);
  const theirs = standingSteps(there);
  const placeThere = new Map(theirs.map(({ name }, place) => [name, place]));
  const common = ours.flatMap(({ name }) => placeThere.get(name) ?? []);
  const inOrder = new Set(longestRising(common));
  const placeHere = new Map(ours.map((step) => [step.name, step]));
  const pairs: StepPair[] = [];
  let next = 0;
  const theirsUpTo = (end: number) => {
    for (; next < end; next++) {
      const step = theirs[next];
      // A step at another place in this run is listed at this run's place.
      if (step && !placeHere.has(step.name)) pairs.push({ name: step.name, here: null, there: step, moved: false });
    }
  };
  for (const step of ours) {
    const place = placeThere.get(step.name);
    const paired = place !== undefined && inOrder.has(place);
    if (paired) theirsUpTo(place);
    const other = place === undefined ? null : (theirs[place] ?? null);
    pairs.push({ name: step.name, here: step, there: other, moved: other !== null && !paired });
    if (paired) next = place + 1;
  }
  theirsUpTo(theirs.length);
  return pairs;
}

/** The values of a longest rising subsequence, by patience. */
export function longestRising(values: number[]): number[] {
  const tails: number[] = [];
  const before: (number | undefined)[] = [];
  values.forEach((value, index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = tails[low - 1];
    tails[low] = index;
  });
  const rising: number[] = [];
  for (let at = tails.at(-1); at !== undefined; at = before[at]) rising.unshift(values[at] as number);
  return rising;
}
