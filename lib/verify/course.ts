import { deathsAt, type Fault, faultsOfSteps, type Passage, pairsOf, rerunsOf } from "./faults";
import type { Findings } from "./findings";
import { codeOf, judge, mistake } from "./judge";
import { LANES, type Lanes } from "./lanes";
import { differenceOf } from "./observation";
import type { TrialResult } from "./report";
import type { Ending } from "./trial";
import type { SeenStep, Sights } from "./watch";

/** What one input went through. */
export interface Course {
  steps: string[];
  trials: TrialResult[];
  /** Numbers that its trials have taken. */
  planned: number;
  skipped: number;
  /** Of these, faults that were not tried alone: pairs are a sample in any case. */
  untried: number;
}

interface Means {
  lanes: Lanes;
  sights: Sights;
  findings: Findings;
  input: unknown;
  /** How many numbers the inputs before it have taken. */
  first: number;
  seed: number;
  pairs: number;
  /** No trial begins after it. */
  deadline: number;
  /** Only this one. */
  trial: number | undefined;
  /** One in so many, others for another seed. */
  share: number;
}

interface Planned {
  number: number;
  faults: Fault[];
  /** Those that `before` did not have. */
  more: Fault[];
  /** What it is compared with. */
  before: Ending;
  /** Of a deploy: what the older build comes to without one. */
  older?: Ending;
}

/** The run without faults, and a trial for each boundary that it passed. */
export async function runCourse(means: Means): Promise<Course> {
  const { lanes, sights, findings, input, first } = means;
  // Twice: the first one also finds the workflow's children, and shows whether it can be compared at all.
  const rehearsal = await lanes.try(input, []);
  const before = await lanes.try(input, []);
  const course: Course = {
    steps: before.steps.map(({ name }) => name),
    trials: [],
    planned: 0,
    skipped: 0,
    untried: 0,
  };
  const whyNot = whyNotCompared(rehearsal, before, sights);
  course.trials.push({ number: first, faults: [], verdict: whyNot ? "finding" : "as_without_faults" });
  if (whyNot) {
    findings.add({ ...whyNot, trial: null, faults: [] });
    return { ...course, planned: 1 };
  }
  const plan = planOf(before, means);
  const failed = new Map<Planned, Ending>();
  const { trial, share, seed } = means;
  const isWanted = ({ number }: Planned) => (trial === undefined ? (number + seed) % share === 0 : number === trial);
  // The numbers behind the plan depend on what runs compensate that fail.
  const beyond = lanes.mayCompensate && (trial === undefined || trial > first + plan.length);
  const todo = plan.filter((one) => isWanted(one) || (beyond && isDown(one)));
  course.trials.push(...(await tryAll(means, todo, failed)));
  const inOrder = new Map([...failed].sort(([a], [b]) => a.number - b.number));
  const compensations = planOfCompensations(inOrder, first + plan.length + 1);
  const deploys = await planOfDeploys(means, before, first + plan.length + compensations.length + 1);
  const more = [...compensations, ...deploys];
  const wanted = more.filter(isWanted);
  course.trials.push(...(await tryAll(means, wanted)));
  course.planned = plan.length + more.length + 1;
  const tried = new Set(course.trials.map(({ number }) => number));
  const skipped = [...todo, ...wanted].filter(({ number }) => !tried.has(number));
  course.skipped = skipped.length;
  course.untried = skipped.filter((one) => one.more.length === 1).length;
  return course;
}

function planOf(before: Ending, { sights, first, pairs, seed }: Means): Planned[] {
  const bodies = [...before.begun.keys()].flatMap((name) => sights.steps.get(name) ?? []);
  const own = before.steps.flatMap(({ name }) => sights.steps.get(name) ?? []);
  const faults = [...deathsAt(before.passages), ...faultsOfSteps(bodies.filter(hasBody)), ...rerunsOf(own)];
  const all = [...faults.map((fault) => [fault]), ...pairsOf(faults, pairs, seed)];
  return all.map((faults, index) => ({ number: first + index + 1, faults, more: faults, before }));
}

/** Of the run whose last provider is down, and which compensates itself: a death at each boundary of its compensations. */
function planOfCompensations(failed: ReadonlyMap<Planned, Ending>, from: number): Planned[] {
  const last = [...failed].filter(([, { passages }]) => passages.some(isOfCompensation)).at(-1);
  if (!last) return [];
  const [{ faults }, before] = last;
  return deathsAt(before.passages.filter(isOfCompensation)).map((death, index) => ({
    number: from + index,
    faults: [...faults, death],
    more: [death],
    before,
  }));
}

/** This build instead of the older one, at each boundary that a run of the older one passes. */
async function planOfDeploys(means: Means, before: Ending, from: number): Promise<Planned[]> {
  const { lanes, sights, findings, input } = means;
  if (!lanes.hasOlder) return [];
  const older = await lanes.try(input, [], true);
  const whyNot = whyNotCompared(older, older, sights);
  if (whyNot) {
    findings.add({ ...whyNot, seen: `in the older build, ${whyNot.seen}`, line: null, trial: null, faults: [] });
    return [];
  }
  return deathsAt(older.passages, "deploy").map((fault, index) => ({
    number: from + index,
    faults: [fault],
    more: [fault],
    before,
    older,
  }));
}

const isOfCompensation = ({ point }: Passage) => point.startsWith("compensation");
const isDown = ({ faults }: Planned) => faults.length === 1 && faults[0]?.kind === "down";
const hasBody = (step: SeenStep): step is SeenStep & { kind: "step" | "transaction" } => step.kind !== "other";

/** Several at once, in the order of the plan; what they compensate goes to `failed`. */
async function tryAll(means: Means, plan: readonly Planned[], failed = new Map<Planned, Ending>()) {
  const { lanes, sights, findings, input, deadline } = means;
  const results: TrialResult[] = [];
  const left = [...plan];
  const oneByOne = async () => {
    for (let next = left.shift(); next && performance.now() < deadline; next = left.shift()) {
      const now = await lanes.try(input, next.faults, next.older !== undefined);
      if (isDown(next)) failed.set(next, now);
      const { verdict, findings: found, asked } = judge({ ...next, now, sights });
      for (const finding of found) findings.add(finding);
      for (const one of asked) findings.ask(one);
      results.push({ number: next.number, faults: next.faults, verdict });
    }
  };
  await Promise.all(Array.from({ length: LANES }, oneByOne));
  return results.sort((a, b) => a.number - b.number);
}

/** Why nothing can be compared with the run without faults. */
function whyNotCompared(rehearsal: Ending, before: Ending, sights: Sights) {
  const { status, waitingFor, error } = before;
  const code = codeOf(before);
  if (before.stuck || (status !== "completed" && status !== "compensated")) {
    if (code) {
      const draft = mistake(code, before, sights);
      return { ...draft, line: lineOf(sights, draft.step) };
    }
    const step = waitingFor?.step ?? null;
    const seen =
      error === null
        ? `without faults, the run is ${status}${waitingFor ? ` for ${waitingFor.kind === "operator" ? "a person" : waitingFor.kind}` : ""}`
        : `without faults, the run fails: ${error.message}`;
    const todo =
      waitingFor?.kind === "event" || waitingFor?.kind === "approval"
        ? `Say what it gets: answers: { ${JSON.stringify(step)}: … }.`
        : "Choose an input and a world with which it completes.";
    return { kind: "fails" as const, step, seen, todo, line: lineOf(sights, step) };
  }
  const difference = differenceOf(rehearsal.observation, before.observation);
  if (!difference) return undefined;
  const todo =
    "Trials are compared by what observe() gives: leave out what differs by itself, such as generated ids and times, and sort what has no order.";
  const seen = `two runs without faults left different things behind${difference.path ? ` (${difference.path})` : ""}`;
  return { kind: "unstable" as const, step: null, seen, todo, line: null };
}

const lineOf = (sights: Sights, step: string | null) => (step === null ? null : (sights.steps.get(step)?.line ?? null));
