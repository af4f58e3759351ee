import { createHash } from "node:crypto";
import type { FaultPoint } from "../worker/fault-points";

/** What one trial does to a run. `step` is the step it concerns; null outside of steps. */
export type Fault =
  | ({ kind: "worker_dies" } & Passage)
  /** The worker has the older build, and the one after it this build. */
  | ({ kind: "deploy" } & Passage)
  | { kind: "answer_lost" | "answers_lost" | "down_once" | "down" | "cancel" | "pause"; step: string }
  /** The run fails at one step, and an operator reruns it from this one or an earlier one. */
  | { kind: "rerun"; step: string; failing: string }
  | { kind: "started_twice"; step: null };

/** A fault point that a run passed. */
export interface Passage {
  point: FaultPoint;
  detail: string;
  /** Of its point and detail, from 1 on. */
  nth: number;
  /** The step whose body ran last before it; null for none. */
  step: string | null;
}

/** The boundaries of a run; those of the worker's other duties are not the workflow's. */
const OF_RUNS = /^(claim|step|flush|transaction|events|run|compensation|wake):/;

export const isOfRuns = (point: FaultPoint) => OF_RUNS.test(point);

/** How often a worker looks for work, and the mark of a body that takes long, are no part of the run. */
const dependsOnSpeed = ({ point, detail, nth }: Passage): boolean =>
  (point === "claim:before" && (detail !== "" || nth > 1)) ||
  (point.startsWith("flush") && detail.startsWith("step:before-body"));

/** A death, or a deploy, at each boundary that the run passed. */
export const deathsAt = (passages: readonly Passage[], kind: "worker_dies" | "deploy" = "worker_dies"): Fault[] =>
  passages.filter((passage) => !dependsOnSpeed(passage)).map((passage) => ({ kind, ...passage }));

/** What providers, people and the network do to the steps with a body. */
export function faultsOfSteps(steps: readonly { name: string; kind: "step" | "transaction" }[]): Fault[] {
  const plain = steps.filter(({ kind }) => kind === "step");
  return [
    ...plain.flatMap(({ name: step }): Fault[] => [
      { kind: "answer_lost", step },
      { kind: "answers_lost", step },
      { kind: "down_once", step },
      { kind: "down", step },
    ]),
    ...steps.flatMap(({ name: step }): Fault[] => [
      { kind: "cancel", step },
      { kind: "pause", step },
    ]),
    { kind: "started_twice", step: null },
  ];
}

interface Step {
  name: string;
  kind: "step" | "transaction" | "other";
  effect: string;
  leavesRows: boolean;
}

/** Whether an operator can run it again without asking what is right: by its key, or because it has no effect. */
const isRepeatable = ({ kind, effect, leavesRows }: Step) =>
  kind === "step" ? effect !== "once" : kind === "other" && !leavesRows;

/**
 * An operator's reruns of a run that has failed: from the step that failed, and, where the last one did, from each step before it
 * from which on all can be repeated.
 * @param steps of the run itself, in their order
 */
export function rerunsOf(steps: readonly Step[]): Fault[] {
  // A transaction has no provider.
  const bodies = steps.filter(({ kind }) => kind === "step");
  const last = bodies.at(-1);
  const earlier = bodies.filter((step) => {
    const rest = steps.slice(steps.indexOf(step)).filter((one) => one !== last);
    return step !== last && rest.every(isRepeatable);
  });
  return [
    ...bodies.map(({ name }): Fault => ({ kind: "rerun", step: name, failing: name })),
    ...earlier.map(({ name }): Fault => ({ kind: "rerun", step: name, failing: last?.name ?? name })),
  ];
}

const WHERE: Partial<Record<FaultPoint, string>> = {
  "claim:before": "before it claims the run",
  "claim:after": "right after it has claimed the run",
  "step:before-start-mark": "before the step's start is recorded",
  "step:after-start-mark": "after the step's start is recorded, before the body",
  "step:before-body": "before the body",
  "step:after-body": "after the body, before its record",
  "flush:before": "before a record is written",
  "flush:after": "after a record is written, before its answer",
  "transaction:before-checkpoint": "in the transaction, after the body",
  "transaction:before-commit": "before the transaction's commit",
  "transaction:after-commit": "after the transaction's commit",
  "events:before-commit": "before the event is taken",
  "events:after-commit": "after the event is taken",
  "run:before-suspend": "before the run is put to rest",
  "run:before-end": "before the end of the claim is recorded",
  "run:after-end": "after the end of the claim is recorded",
  "compensation:before-start-mark": "before a compensation is begun",
  "compensation:before-body": "before the compensation",
  "compensation:after-body": "after the compensation, before its record",
  "compensation:after-record": "after the compensation's record",
  "wake:before": "before the parent is woken",
  "wake:after": "after the parent is woken",
};

const whereOf = ({ point, step }: Pick<Passage, "point" | "step">): string =>
  `${WHERE[point] ?? `at ${point}`}${point.startsWith("flush") && step ? ` (${step})` : ""}`;

/** A fault in words: the end of "… while" or "when". */
export function wordsOf(fault: Fault): string {
  switch (fault.kind) {
    case "worker_dies":
      return `worker dies ${whereOf(fault)}`;
    case "deploy":
      return `this build replaces the older one ${whereOf(fault)}`;
    case "answer_lost":
      return "the provider acts, and its answer is lost";
    case "answers_lost":
      return "the provider acts, and each of its answers is lost";
    case "down_once":
      return "the provider is down once";
    case "down":
      return "the provider is down for good";
    case "cancel":
      return "the run is cancelled during the body";
    case "pause":
      return "the run is paused during the body, and resumed";
    case "rerun":
      return fault.failing === fault.step
        ? "the provider is down until the run has failed, and an operator reruns it"
        : `the run fails at ${fault.failing}, and an operator reruns it from this step`;
    case "started_twice":
      return "the run is started twice at once";
  }
}

/**
 * The number by which a trial is run again, from 1 on: made of its faults, so that it stays the same when another run without
 * faults passes one boundary more or fewer.
 * @param place of its input among the inputs
 */
export function numberOf(place: number, faults: readonly Fault[]): number {
  // Which body ran last before a boundary differs from run to run where branches run at once.
  const parts = faults.map((fault) =>
    "point" in fault ? [fault.kind, fault.point, fault.detail, fault.nth] : Object.values(fault),
  );
  const digest = createHash("sha256")
    .update(JSON.stringify([place, parts]))
    .digest();
  return 1 + (digest.readUInt32BE() % 999_999);
}

/** Pairs of these, the same ones for the same seed: the second one comes after the first. */
export function pairsOf(faults: readonly Fault[], count: number, seed: number): [Fault, Fault][] {
  const next = randomOf(seed);
  const pairs = new Map<string, [Fault, Fault]>();
  const most = Math.min(count, faults.length ** 2);
  for (let tries = 0; pairs.size < most && tries < 10 * most; tries++) {
    const [first, second] = [faults[next(faults.length)], faults[next(faults.length)]].sort(
      (a, b) => faults.indexOf(a as Fault) - faults.indexOf(b as Fault),
    ) as [Fault, Fault];
    const pair = first === second ? again(first) : second;
    if (pair) pairs.set(JSON.stringify([first, pair]), [first, pair]);
  }
  return [...pairs.values()];
}

/** The same boundary, when the next worker passes it. */
const again = (fault: Fault): Fault | undefined =>
  fault.kind === "worker_dies" ? { ...fault, nth: fault.nth + 1 } : undefined;

/** Whole numbers below the given one, by mulberry32. */
function randomOf(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}
