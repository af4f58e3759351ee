import type { z } from "zod";
import type { FourEyesAct } from "../engine/operations/four-eyes";
import type { CancelSplit, PlanFacts, PlanItem, PlannedStepFacts } from "../engine/operations/plan";
import type { PlanTotals } from "../engine/operations/plan-totals";
import { closed, type Openness, open, type RunFacts, type StepFacts } from "../engine/runs/operator-acts";
import type { Attention } from "../engine/runs/run";
import type { WorkflowCode } from "../engine/workflows/workflow-code";
import { formatCount } from "../format";
import type * as Toolbox from "../operator/actions/toolbox";
import type { AlsoChanged } from "../operator/audit/audited";
import type { Db } from "../store/db";
import type { ChangedChild } from "../store/rows";
import type { LockedRun } from "../store/runs/lock-run";

/** Drawn by components/domain/actions/run-acts.tsx. */
export type ActionIcon =
  | "add_person"
  | "again"
  | "answer"
  | "branch"
  | "clock"
  | "copy"
  | "pause"
  | "person"
  | "play"
  | "question"
  | "send"
  | "stop"
  | "trash"
  | "undo";

/**
 * What the browser says of an action: its file exports this as `<name>Words`, and the action itself as `<name>`. Only
 * types of zod and of the store are imported, so a browser can load the file.
 */
export interface Words {
  icon: ActionIcon;
  /** On the button; the dots announce a dialog. */
  button: (run: RunFacts & { attention: Attention | null }) => string;
  /** What it will do, in a line. */
  does: string;
  /** In the audit log, of what was done and of what was tried: the target follows. */
  did: string;
  tried: string;
  /** By itself, as in a list of choices. */
  name: string;
  /** Absent: it cannot be planned for many runs. */
  plan?: PlanWords;
}

/** What the browser knows of a plan's parameters. */
type Chosen = Record<string, unknown>;

export interface PlanWords {
  /** Before "412 runs". */
  verb: (params: Chosen) => string;
  /** An example of a reason for it. */
  reason: string;
  /** Explains the choice. Default: what it does to one run. */
  note?: string;
  /** The first parameters when it is chosen for selected runs; absent: it begins at a run. */
  bulk?: Chosen;
  /** What happens to the included runs. */
  happens: (counts: PlanTotals) => string[];
  /** What else the sentence says of the parameters, if any run is included. */
  besides?: (params: Chosen) => string;
  /** The word that has to be typed before the plan is executed; null if nothing irreversible is in it. */
  wordToType?: (params: Chosen, counts: PlanTotals) => string | null;
}

/** For an action on one step where none was chosen: it must be the only candidate. */
export function chooseOne(steps: readonly StepFacts[], none: string, rule: (step: StepFacts) => Openness): Openness {
  const [first] = steps;
  if (!first) return closed(none);
  return steps.length === 1
    ? rule(first)
    : closed(`There are ${steps.length} steps that this may be about. Choose one of them.`);
}

/** Whether the run can be reopened, or its work started again, as far as its singleton key goes. */
export const mayTakeKey = ({ keyHeldBy }: Pick<RunFacts, "keyHeldBy">): Openness =>
  keyHeldBy === null
    ? open
    : closed(
        `Another run with the same singleton key has not ended: ${keyHeldBy}. Wait for its end, or cancel it first.`,
      );

/** What happens to some runs, and in other words to one. */
export const countedRuns = (count: number, toSome: string, toOne: string): string[] =>
  count > 0 ? [`${formatCount(count)} ${count === 1 ? toOne : toSome}`] : [];

/** For actions that do the same to each included run. */
export const onRuns =
  (toSome: string, toOne: string) =>
  ({ included }: PlanTotals) =>
    countedRuns(included, toSome, toOne);

/** An action, as the server carries it out. */
export interface Action<Params extends object = object> {
  /** Whether it is open with these parameters, or why not: the server enforces it, the button explains with it. */
  rule(run: RunFacts, params: Params): Openness;
  /** The same before anything is chosen, as the page shows it. Default: the rule without parameters. */
  offered?(run: RunFacts): Openness;
  /** The fields of its parameters, in requests and plans. */
  params(fields: Fields): z.ZodRawShape;
  command(tools: Tools, given: Given<Params>): Change | Promise<Change>;
  /** Absent: it cannot be planned for many runs. */
  plan?: Plan<Params>;
}

/** Of an action that can be planned. Two people can approve a plan, so a workflow may demand a second person. */
export interface Plan<Params extends object = object> {
  /** The names that a workflow declares, each as the beginning of "… takes a second person". */
  fourEyes: Partial<Record<FourEyesAct, string>>;
  /** The declared names that it counts as with these parameters. Default: its own. */
  countsAs?(params: Params): FourEyesAct[];
  /** Further conditions in a plan. `live`: the versions of the run's workflow that live workers have. */
  needs?(run: PlanFacts, params: Params, live: readonly number[]): Openness;
  /** What its facts need beyond the run's own. */
  reads?(params: Params): { outcomes?: boolean; unfit?: boolean; splitBelow?: boolean; doubtBelow?: boolean };
  /** Steps that it resolves, compensates or ends the wait of. Default: none. */
  about?<Step extends StepFacts>(run: { steps: readonly Step[]; failedStep: string | null }, params: Params): Step[];
  /** The steps that its statements supersede. Default: none. */
  again?(run: PlanFacts, params: Params): PlannedStepFacts[];
  /** These steps run again in another run, and keep their record in this one. */
  inAnotherRun?: boolean;
  /** Its items do not count the unanswered questions that it does not repeat. */
  ignoresWaiting?: boolean;
  /** Its items begin with the oldest run, so that a parent comes before its children. Default: with the newest. */
  oldestFirst?: boolean;
  /** Its items name no effect with the provider's reference: the plan is kept, and the data is to go. */
  forgets?: boolean;
  /** Whether such a step without a known outcome may have happened. Default: no. */
  mayHaveHappened?(step: PlannedStepFacts): boolean;
  /** What it leaves behind, by the effects that stay. */
  split?(effects: readonly PlannedStepFacts[], run: PlanFacts): CancelSplit;
  /** True if repeated calls use idempotency keys that no provider knows. */
  freshKeys?(params: Params): boolean;
  /**
   * What a person approves in an item. A run may have moved since: while this is the same, the approved description is
   * still accurate.
   */
  decided(item: PlanItem): object;
  /** Whether the run is already in the target state. Default: never, the action is not idempotent. */
  isDone?(run: PlanFacts, params: Params, seen: Seen): boolean;
  /** Checks the parameters of a new plan, and returns them as they are kept. */
  complete?(tools: Tools & PlanTools, params: Params): Params | Promise<Params>;
}

/** From the item in the plan; `about`: those steps as they are now. */
export interface Seen {
  generation: number;
  about: (StepFacts | undefined)[];
}

export interface PlanTools {
  /** The run of a plan that names one run, and no other. */
  onlyRun: string | null;
  /** An input with the masked values that its editor left in place. */
  restoreMasked: (runId: string, input: unknown) => Promise<unknown>;
}

export type Tools = typeof Toolbox;

/** Schemas that parameters share. */
export interface Fields {
  z: typeof z;
  /** Text that Postgres can store. */
  plainText: z.ZodString;
  stepName: z.ZodString;
  json: z.ZodType;
  /** An http or https address. */
  link: z.ZodType<string, string>;
  instant: z.ZodType<string, string>;
}

export type ParamsOf<Shape extends (fields: Fields) => z.ZodRawShape> = z.output<
  z.ZodObject<ReturnType<Shape>, z.core.$strict>
>;

/** The action on one run, as an operator requests it. */
export interface Given<Params> {
  runId: string;
  params: Params;
  reason: string;
  /** The operator's name. */
  by: string;
  /** Of a plan whose parameters name no step: the only step that it can be about. */
  candidate?: string | undefined;
  /** Given values have to fit it. */
  code: WorkflowCode;
}

/** What the command will do, once its run is locked and its rule is open. */
export interface Change {
  /** The step of the action. */
  step?: string | undefined;
  /** What the operator chose, for the audit log. */
  details?: Record<string, unknown>;
  /** The one change of state, in the transaction that holds the run. Returns the other runs that it changed. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most changes return nothing
  change(tx: Db, locked: LockedRun): Promise<AlsoChanged[] | void>;
}

/** The audit rows of descendants that an action on a run changed with it. */
export const withParent = (children: readonly ChangedChild[], reason: string): AlsoChanged[] =>
  children.map(({ id, workflow, before, after }) => ({
    runId: id,
    workflow,
    reason,
    before,
    after: { ...after, withParent: true },
  }));
