import type { AppServices, Workflow } from "../../engine/workflows/workflow";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import { pagesByOutcome } from "../maps/begun-pages";
import type { BegunPages } from "../maps/map-in-pages";
import type { MapPlan } from "../maps/map-plan";
import type { Performer } from "../passes/context";
import { OutcomeOrder } from "../passes/outcome-order";
import { never } from "../passes/promises";
import { runCode } from "../passes/run-code";
import { isKept, keptOutcome } from "../steps/kept-step";
import type { StepPlan } from "../steps/step-plan";

/** The result of a rehearsal. */
interface Rehearsal {
  /** The done steps that the code reached, as it declares them now. */
  met: Map<string, StepPlan>;
  /** The done steps that it did not reach. */
  gone: string[];
  /** What it would run next. */
  next: string[];
  /** How the code ended; null when it waits at what it would run next. */
  end: CodeEnd | null;
}

type CodeEnd = { status: "completed"; output: unknown } | { status: "failed"; error: unknown };

interface Until {
  /** The code between steps must be quick: the rehearsal waits no longer than this for its next step. */
  pauseMs: number;
  /** Ends the rehearsal before the code waits. */
  enough?: (met: StepPlan) => boolean;
  /** The same, at a call of `ctx.mapSteps`. */
  onMap?: (map: MapPlan) => boolean;
  /** Default: as far as outcomes tell. */
  pages?: BegunPages;
}

/** Runs the workflow's code over the run's recorded steps, and nothing else: no body is called, nothing is written. */
export function rehearse(
  run: ClaimedRun,
  workflow: Workflow,
  services: AppServices,
  { pauseMs, enough = () => false, onMap = () => false, pages = pagesByOutcome(run.steps) }: Until,
): Promise<Rehearsal> {
  const kept = new Map(run.steps.filter(isKept).map((step) => [step.name, step]));
  const order = new OutcomeOrder(kept.size);
  const met = new Map<string, StepPlan>();
  const next: string[] = [];
  return new Promise((resolve) => {
    const done = (end: CodeEnd | null = null) => {
      clearTimeout(timer);
      resolve({ met, gone: [...kept.keys()].filter((name) => !met.has(name)), next, end });
    };
    const timer = setTimeout(() => done(), pauseMs);
    const meet = async (plan: StepPlan): Promise<unknown> => {
      timer.refresh();
      const row = kept.get(plan.name);
      if (!row) {
        next.push(plan.name);
        return never();
      }
      met.set(plan.name, plan);
      if (enough(plan)) done();
      await order.turn(row.finishedPosition);
      return keptOutcome(row);
    };
    const performer: Performer = {
      services,
      step: meet,
      transaction: meet,
      child: meet,
      other: meet,
      sleep: async (plan) => void (await meet(plan)),
      wait: meet,
      map: (map) => {
        if (onMap(map)) done();
      },
      begunPages: pages,
      log: () => undefined,
      progress: () => undefined,
      checkpoint: () => new Promise((resume) => setImmediate(resume)),
    };
    runCode(run, workflow, performer).then(
      (output) => done({ status: "completed", output }),
      (error) => done({ status: "failed", error }),
    );
  });
}
