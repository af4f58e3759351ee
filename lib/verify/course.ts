import { deathsAt, type Fault, faultsOfSteps, numberOf, type Passage, pairsOf, rerunsOf } from "./faults";
import type { Findings } from "./findings";
import { codeOf, type Judged, judge, mistake } from "./judge";
import { LANES, type Lanes } from "./lanes";
import { differenceOf } from "./observation";
import type { TrialResult } from "./report";
import type { Ending } from "./trial";
import type { SeenStep, Sights } from "./watch";

/** What one input went through. */
export interface Course {
  steps: string[];
  trials: TrialResult[];
  skipped: number;
  /** Of these, faults that were not tried alone: pairs are a sample in any case. */
  untried: number;
}

interface Means {
  lanes: Lanes;
  sights: Sights;
  findings: Findings;
  input: unknown;
  /** Its place among the inputs, from 0 on. */
  place: number;
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
  faults: Fault[];
  /** Those that `before` did not have. */
  more: Fault[];
  /** What it is compared with. */
  before: Ending;
  /** Of a deploy: what the older build comes to without one. */
  older?: Ending;
}

interface Tried {
  number: number;
  judged: Judged;
  /** Of a run whose provider is down for good: how it ended. */
  down: Ending | undefined;
}

/** The run without faults, and a trial for each boundary that it passed. */
export async function runCourse(means: Means): Promise<Course> {
  const { lanes, sights, findings, input, place } = means;
  // Twice: the first one also finds the workflow's children, and shows whether it can be compared at all.
  const rehearsal = await lanes.try(input, []);
  const before = await lanes.try(input, []);
  const course: Course = {
    steps: before.steps.map(({ name }) => name),
    trials: [],
    skipped: 0,
    untried: 0,
  };
  const whyNot = whyNotCompared(rehearsal, before, sights);
  course.trials.push({ number: 0, faults: [], verdict: whyNot ? "finding" : "as_without_faults" });
  if (whyNot) {
    findings.add({ ...whyNot, trial: null, faults: [] });
    return course;
  }
  const plan = planOf(before, means);
  const { trial, share, seed } = means;
  const isWanted = ({ faults }: Planned) => {
    const number = numberOf(place, faults);
    return trial === undefined ? (number + seed) % share === 0 : number === trial;
  };
  // What runs compensate that fail is known once they have failed.
  const beyond = lanes.mayCompensate && trial !== 0 && (trial === undefined || !plan.some(isWanted));
  const todo = plan.filter((one) => isWanted(one) || (beyond && isDown(one)));
  const tried = await tryAll(means, todo);
  const compensations = planOfCompensations(todo, tried);
  const deploys = await planOfDeploys(means, before);
  const more = [...compensations, ...deploys].filter(isWanted);
  for (const [one, found] of await tryAll(means, more)) tried.set(one, found);
  const asked = todo.filter((one) => trial === undefined || isWanted(one));
  course.trials.push(...resultsOf(findings, [...asked, ...more], tried));
  const skipped = [...todo, ...more].filter((one) => !tried.has(one));
  course.skipped = skipped.length;
  course.untried = skipped.filter((one) => one.more.length === 1).length;
  return course;
}

function planOf(before: Ending, { sights, pairs, seed }: Means): Planned[] {
  const bodies = [...before.begun.keys()].flatMap((name) => sights.steps.get(name) ?? []);
  const own = before.steps.flatMap(({ name }) => sights.steps.get(name) ?? []);
  const faults = [...deathsAt(before.passages), ...faultsOfSteps(bodies.filter(hasBody)), ...rerunsOf(own)];
  const all = [...faults.map((fault) => [fault]), ...pairsOf(faults, pairs, seed)];
  return all.map((faults) => ({ faults, more: faults, before }));
}

/** Of the run whose last provider is down, and which compensates itself: a death at each boundary of its compensations. */
function planOfCompensations(plan: readonly Planned[], tried: ReadonlyMap<Planned, Tried>): Planned[] {
  const last = plan.findLast((one) => tried.get(one)?.down?.passages.some(isOfCompensation));
  const before = last && tried.get(last)?.down;
  if (!before) return [];
  return deathsAt(before.passages.filter(isOfCompensation)).map((death) => ({
    faults: [...last.faults, death],
    more: [death],
    before,
  }));
}

/** This build instead of the older one, at each boundary that a run of the older one passes. */
async function planOfDeploys(means: Means, before: Ending): Promise<Planned[]> {
  const { lanes, sights, findings, input } = means;
  if (!lanes.hasOlder) return [];
  const older = await lanes.try(input, [], true);
  const whyNot = whyNotCompared(older, older, sights);
  if (whyNot) {
    findings.add({ ...whyNot, seen: `in the older build, ${whyNot.seen}`, line: null, trial: null, faults: [] });
    return [];
  }
  return deathsAt(older.passages, "deploy").map((fault) => ({
    faults: [fault],
    more: [fault],
    before,
    older,
  }));
}

const isOfCompensation = ({ point }: Passage) => point.startsWith("compensation");
const isDown = ({ faults }: Planned) => faults.length === 1 && faults[0]?.kind === "down";
const hasBody = (step: SeenStep): step is SeenStep & { kind: "step" | "transaction" } => step.kind !== "other";

/** Several at once; those for which the budget left no time are not among them. */
async function tryAll(means: Means, plan: readonly Planned[]): Promise<Map<Planned, Tried>> {
  const { lanes, sights, input, place, deadline } = means;
  const tried = new Map<Planned, Tried>();
  const left = [...plan];
  const oneByOne = async () => {
    for (let next = left.shift(); next && performance.now() < deadline; next = left.shift()) {
      const now = await lanes.try(input, next.faults, next.older !== undefined);
      const number = numberOf(place, next.faults);
      tried.set(next, {
        number,
        judged: judge({ ...next, number, now, sights }),
        down: isDown(next) ? now : undefined,
      });
    }
  };
  await Promise.all(Array.from({ length: LANES }, oneByOne));
  return tried;
}

/** In the order of the plan, so that of two trials that show the same the first one is named. */
function resultsOf(findings: Findings, plan: readonly Planned[], tried: ReadonlyMap<Planned, Tried>): TrialResult[] {
  return plan.flatMap((one) => {
    const known = tried.get(one);
    if (!known) return [];
    const { number, judged } = known;
    for (const finding of judged.findings) findings.add(finding);
    for (const asked of judged.asked) findings.ask(asked);
    return [{ number, faults: one.faults, verdict: judged.verdict }];
  });
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
