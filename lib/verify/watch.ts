import { OutcomeUnknownError } from "../engine/steps/outcome-unknown-error";
import type { StepBody } from "../engine/workflows/step-options";
import type { Context, Workflow } from "../engine/workflows/workflow";
import { asStep, betweenSteps, type SeenHazard } from "./between-steps";
import type { Fault } from "./faults";
import { framesAbove, lineIn } from "./source-line";

/** What a verification knows of a step, from all of its trials. */
export interface SeenStep {
  /** As findings name it: the child's workflow before the steps of a child. */
  name: string;
  kind: "step" | "transaction" | "other";
  effect: string;
  line: string | null;
  /** Whether its body has ever read the key. */
  readsKey: boolean;
  /** The body's own parameters leave the signal out. */
  ignoresSignal: boolean;
  /** It leaves more in Handrail's tables than its run. */
  leavesRows: boolean;
  timeoutMs: number | undefined;
  canAsk: boolean;
}

/** What one trial sees of the workflow's code. */
export interface TrialEyes {
  services: object;
  faults: readonly Fault[];
  /** Asks for the run's cancellation or pause, and resolves once that is recorded. */
  operate(fault: Fault, runId: string): Promise<void>;
  /** Whether an operator has rerun the run already. */
  isRerun(fault: Fault): boolean;
}

/** What the bodies of one trial did. */
export class Bodies {
  /** How often each step's body was begun. */
  readonly begun = new Map<string, number>();
  private readonly running = new Set<Promise<unknown>>();

  count(step: string): number {
    const times = (this.begun.get(step) ?? 0) + 1;
    this.begun.set(step, times);
    return times;
  }

  async follow<Output>(body: Promise<Output>): Promise<Output> {
    const settled = body.catch(() => undefined);
    this.running.add(settled);
    void settled.then(() => this.running.delete(settled));
    return body;
  }

  /** A body of a worker that has died goes on in this process: what it does belongs to the trial. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }
}

/** What all trials of a verification have seen of the workflow. */
export class Sights {
  readonly steps = new Map<string, SeenStep>();
  readonly hazards = new Map<string, SeenHazard>();
  /** Workflows that were started as children. */
  readonly children = new Set<Workflow>();

  constructor(readonly main: string) {}

  nameOf(workflow: string, step: string): string {
    return workflow === this.main ? step : `${workflow} › ${step}`;
  }
}

type AnyBody = (...given: never[]) => unknown;
interface AnyOptions {
  effect?: string;
  timeoutMs?: number;
  compensate?: unknown;
  reconcile?: AnyBody;
}

/** The workflow with eyes: the trial that is on gets its services, its faults and what its code does. */
export function watched(
  workflow: Workflow,
  sights: Sights,
  trial: () => { eyes: TrialEyes; bodies: Bodies },
): Workflow {
  const handler: Workflow["handler"] = (ctx, input) => {
    const { eyes, bodies } = trial();
    const report = (hazard: SeenHazard) => sights.hazards.set(`${hazard.call} ${hazard.line}`, hazard);
    return betweenSteps(report, () => workflow.handler(watchedContext(ctx, sights, eyes, bodies), input));
  };
  return { ...workflow, handler };
}

/** In the database, besides the step itself. */
const LEAVES_NO_ROWS = ["sleep", "sleepUntil", "now", "random", "uuid"] as const;
const LEAVES_ROWS = ["waitForEvent", "approval", "child", "startChild", "cancelRun", "sendEvent", "publish"] as const;

function watchedContext(ctx: Context, sights: Sights, eyes: TrialEyes, bodies: Bodies): Context {
  const given = ctx as unknown as Record<string, AnyBody>;
  const look = (name: unknown, given: Given): SeenStep =>
    seenStep(sights, sights.nameOf(ctx.run.workflow, String(name)), given);
  const wrapped: Record<string, unknown> = { ...given, services: eyes.services };
  for (const kind of ["step", "transaction"] as const) {
    const call = (name: string, body: AnyBody, options?: AnyOptions) => {
      const step = look(name, { kind, options, call, body, leavesRows: false });
      const run = (...arguments_: never[]) => bodyOf(ctx.run.id, step, eyes, bodies, body, arguments_);
      return asStep(() => given[kind]?.(...([name, run, options] as never[])));
    };
    wrapped[kind] = call;
  }
  for (const name of [...LEAVES_NO_ROWS, ...LEAVES_ROWS] as const) {
    const call = (...arguments_: never[]) => {
      look(arguments_[0] ?? name, { kind: "other", call, leavesRows: !LEAVES_NO_ROWS.some((one) => one === name) });
      if (name === "child" || name === "startChild") sights.children.add(arguments_[1] as unknown as Workflow);
      return asStep(() => given[name]?.(...arguments_));
    };
    wrapped[name] = call;
  }
  wrapped.mapSteps = ((items: unknown, name: string, body: AnyBody, options?: AnyOptions) => {
    const step = look(name, { kind: "other", options, call: wrapped.mapSteps as AnyBody, leavesRows: true });
    // Of all items together: with a fault, one of them has run more often.
    const run = (item: never, given: never) => {
      bodies.count(step.name);
      const argument = argumentOf(given as unknown as StepBody, step) as never;
      return bodies.follow(Promise.resolve(asStep(() => body(item, argument))));
    };
    return asStep(() => given.mapSteps?.(...([items, name, run, options] as never[])));
  }) as AnyBody;
  for (const name of ["checkpoint", "log", "progress"] as const)
    wrapped[name] = (...arguments_: never[]) => asStep(() => given[name]?.(...arguments_));
  return wrapped as unknown as Context;
}

interface Given {
  kind: SeenStep["kind"];
  call: AnyBody;
  leavesRows: boolean;
  body?: AnyBody;
  options?: AnyOptions | undefined;
}

/** A body without parameters, or one that takes its argument apart and leaves the signal out. */
const leavesOutSignal = (body: AnyBody): boolean =>
  body.length === 0 || /^(async\s*)?(function\s*\w*\s*)?\(\s*\{(?![^}]*(signal|\.\.\.))[^}]*\}/.test(String(body));

function seenStep(sights: Sights, name: string, { kind, options, call, body, leavesRows }: Given): SeenStep {
  const known = sights.steps.get(name);
  if (known) return known;
  const step: SeenStep = {
    name,
    kind,
    effect: options?.effect ?? "idempotent",
    line: lineIn(framesAbove(call)),
    readsKey: false,
    ignoresSignal: kind === "step" && body !== undefined && leavesOutSignal(body),
    leavesRows,
    timeoutMs: options?.timeoutMs,
    canAsk: options?.reconcile !== undefined,
  };
  sights.steps.set(name, step);
  return step;
}

/** A body, with what the trial's provider does to it. The argument of its attempt is the last one. */
async function bodyOf(
  runId: string,
  step: SeenStep,
  eyes: TrialEyes,
  bodies: Bodies,
  body: AnyBody,
  given: never[],
): Promise<unknown> {
  const times = bodies.count(step.name);
  const faults = eyes.faults.filter((fault) => (fault.kind === "rerun" ? fault.failing : fault.step) === step.name);
  for (const fault of faults) {
    if (isDown(fault, times, eyes)) throw new Error("connect ECONNREFUSED (verify: the provider is down)");
    if ((fault.kind === "cancel" || fault.kind === "pause") && times === 1) await eyes.operate(fault, runId);
  }
  const arguments_ = [...given.slice(0, -1), argumentOf(given.at(-1) as unknown as StepBody, step)] as never[];
  const output = await bodies.follow(Promise.resolve(asStep(() => body(...arguments_))));
  if (faults.some(({ kind }) => kind === "answers_lost" || (kind === "answer_lost" && times === 1)))
    throw new OutcomeUnknownError("socket hang up (verify: the answer is lost)");
  return output;
}

const isDown = (fault: Fault, times: number, eyes: TrialEyes): boolean =>
  fault.kind === "down" ||
  (fault.kind === "down_once" && times === 1) ||
  (fault.kind === "rerun" && !eyes.isRerun(fault));

const argumentOf = (given: StepBody, step: SeenStep): StepBody => ({
  attempt: given.attempt,
  headers: given.headers,
  log: given.log,
  get idempotencyKey() {
    step.readsKey = true;
    return given.idempotencyKey;
  },
  get signal() {
    return given.signal;
  },
});
