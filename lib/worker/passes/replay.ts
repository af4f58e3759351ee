import type { LogLevel, Progress } from "../../engine/runs/log";
import { isWaitKind } from "../../engine/steps/step";
import { isBlob } from "../../engine/values/blob";
import { decodeValue } from "../../engine/values/codec";
import type { AppServices, Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { within } from "../../traces/tracing";
import type { OpenApp } from "../app";
import { ChildOutcomes } from "../children/child-outcomes";
import type { ChildPlan } from "../children/child-plan";
import { ChildTimeouts } from "../children/child-timeouts";
import { runChild } from "../children/run-child";
import type { Claim } from "../claims/claim";
import { begunPages, pagesByOutcome, unsizedPages } from "../maps/begun-pages";
import type { BegunPages } from "../maps/map-in-pages";
import type { OtherWrite } from "../others/other-runs";
import type { Others } from "../others/others";
import { writeOther } from "../others/write-other";
import type { Permits } from "../queues/permits";
import type { Ended } from "../steps/keep-outcome";
import { keptError } from "../steps/kept-error";
import { isKept, type KeptStep, keptOutcome } from "../steps/kept-step";
import { type Execute, plainBody, runStep } from "../steps/run-step";
import type { StepPlan } from "../steps/step-plan";
import { StepState } from "../steps/step-state";
import { transactionBody } from "../transactions/run-transaction";
import type { Drift } from "../versions/drift";
import { EventInquiry } from "../waits/ask-for-events";
import { runSleep } from "../waits/run-sleep";
import { runWait } from "../waits/run-wait";
import type { WaitPlan } from "../waits/wait-plan";
import type { Performer, Until } from "./context";
import { holdSingleton } from "./hold-singleton";
import type { Pass } from "./pass";
import { runCode } from "./run-code";
import { BETWEEN_STEPS } from "./run-notes";

/** What the code's steps reach: the app, and other runs. */
export interface Means {
  app: OpenApp;
  others: Others;
  permits: Permits;
}

/** Runs the workflow's code from its top; recorded outcomes return at once, the rest is executed. */
export function replay(pass: Pass, drift: Drift | undefined, workflow: Workflow, db: Db, means: Means): void {
  const { claim, rest } = pass;
  const code = async () => {
    await holdSingleton(pass, workflow, db);
    const { steps } = claim.run;
    const pages = unsizedPages(steps).length > 0 ? await readPages(pass, db) : pagesByOutcome(steps);
    const value = await runCode(claim.run, workflow, new Replay(pass, drift, workflow, db, means, pages));
    await drift?.before(undefined);
    return value;
  };
  rest.follow(within(claim.root, code));
}

const readPages = ({ claim, rest }: Pass, db: Db): Promise<BegunPages> =>
  rest.work(() => begunPages(claim.run, db, claim).catch((error) => claim.leaveToLater(error)));

/** Brings the steps of one pass to their outcomes. What only some kinds of steps need is made when one is asked for. */
class Replay implements Performer {
  private inquiry: EventInquiry | undefined;
  private children: { outcomes: ChildOutcomes; timeouts: ChildTimeouts } | undefined;

  constructor(
    private readonly pass: Pass,
    private readonly drift: Drift | undefined,
    private readonly workflow: Workflow,
    private readonly db: Db,
    private readonly means: Means,
    readonly begunPages: BegunPages,
  ) {}

  get services(): AppServices {
    return this.means.app.services;
  }

  step(plan: StepPlan, body: Parameters<Performer["step"]>[1]): Promise<unknown> {
    return this.run(plan, plainBody(this.pass, body));
  }

  transaction(plan: StepPlan, client: "app" | "pg", body: Parameters<Performer["transaction"]>[2]): Promise<unknown> {
    const { pass, db } = this;
    const { transactions } = this.means.app;
    const execute =
      client === "pg"
        ? transactionBody(pass, db, transactions.pg, body)
        : transactionBody(pass, db, transactions.app, body);
    return this.run(plan, execute);
  }

  other(plan: StepPlan, write: OtherWrite): Promise<unknown> {
    const { others, app } = this.means;
    const { masked } = this.workflow;
    return this.run(plan, writeOther(this.pass, this.db, app.transactions, write, { ...others, masked }));
  }

  async sleep(plan: StepPlan, until: Until): Promise<void> {
    await this.outcome(plan, (state) => runSleep(this.pass, state, until));
  }

  child(plan: StepPlan, child: ChildPlan): Promise<unknown> {
    const { pass, db } = this;
    this.children ??= {
      outcomes: new ChildOutcomes(pass, db),
      timeouts: new ChildTimeouts(pass, db, this.means.others),
    };
    const { outcomes, timeouts } = this.children;
    return this.outcome(plan, (state) => runChild(pass, state, child, db, outcomes, timeouts));
  }

  checkpoint(): Promise<void> {
    return this.pass.rest.checkpoint();
  }

  wait(plan: StepPlan, wait: WaitPlan): Promise<unknown> {
    const { claim, rest } = this.pass;
    this.inquiry ??= new EventInquiry(claim, this.db);
    const { inquiry } = this;
    return this.outcome(plan, (state) => runWait(rest, inquiry, state, wait));
  }

  log(message: string, data: unknown, level?: LogLevel): void {
    this.pass.claim.notes.log(BETWEEN_STEPS, message, data, level);
  }

  progress(progress: Progress): void {
    this.pass.claim.notes.progress(progress);
  }

  private run(plan: StepPlan, execute: Execute): Promise<unknown> {
    return this.outcome(plan, (state) => runStep(this.pass, state, execute, this.means.permits));
  }

  private outcome(plan: StepPlan, run: Run): Promise<unknown> {
    const { pass, drift } = this;
    drift?.meet(plan.name);
    const row = pass.claim.latestRow(plan.name);
    return row && isKept(row) ? keptInTurn(pass.claim, row) : outcomeOf(pass, drift, plan, run);
  }
}

/** Brings a step without an outcome to one. */
type Run = (state: StepState) => Promise<Ended>;

/** The outcome that `run` brings the step to; it comes in its turn. @throws the step's error */
async function outcomeOf(pass: Pass, drift: Drift | undefined, plan: StepPlan, run: Run): Promise<unknown> {
  const { claim } = pass;
  const state = new StepState(plan, claim);
  // Only then new work runs, and never in drifted code.
  const caughtUp = claim.order.caughtUp();
  if (caughtUp) await caughtUp;
  if (drift) await drift.before(plan.name);
  try {
    const ended = await run(state);
    if (claim.trace && isWaitKind(plan.kind))
      claim.trace.waited(state, ended.next === "failed" ? ended.error : null, state.sentIn);
    if (ended.next === "completed" && isBlob(ended.output)) ended.output = await wholeOutput(pass, state, ended.output);
    const turn = state.turn();
    if (turn) await turn;
    if (ended.next === "failed") throw keptError(plan.name, ended.error);
    return decodeValue(ended.output);
  } finally {
    state.withoutOutcome();
  }
}

/** An outcome of an earlier pass. Large values are loaded when the code asks for them, several at once, and come in order. */
function keptInTurn(claim: Claim, kept: KeptStep): Promise<unknown> {
  const { output, finishedPosition } = kept;
  if (output !== null && isBlob(output)) return loadedInTurn(claim, kept, output);
  // Without a state or an async function: a replay may pass here thousands of times, in code that is not compiled yet.
  return inTurn(claim, finishedPosition).then(() => keptOutcome(kept));
}

async function loadedInTurn(claim: Claim, kept: KeptStep, output: string): Promise<unknown> {
  const loading = Promise.resolve(claim.loaded(placeOf(claim, kept), output));
  await inTurn(claim, kept.finishedPosition, loading);
  return keptOutcome({ ...kept, output: await loading });
}

const inTurn = ({ order }: Claim, position: number, loading?: Promise<unknown>): Promise<void> =>
  order.turn(position, loading) ?? Promise.resolve();

/** Of a step whose outcome another body, or an unanswered commit, has recorded, a reference alone may be known. */
const wholeOutput = ({ claim, rest }: Pass, state: StepState, output: string) =>
  rest.work(async () => claim.loaded(placeOf(claim, { name: state.plan.name, generation: state.generation }), output));

const placeOf = (claim: Claim, { name, generation }: { name: string; generation: number }) =>
  [claim.run.id, "step", name, generation] as const;
