import { isWaitKind } from "../../engine/steps/step";
import { isBlob } from "../../engine/values/blob";
import { decodeValue } from "../../engine/values/codec";
import type { Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { within } from "../../traces/tracing";
import type { OpenApp } from "../app";
import { ChildOutcomes } from "../children/child-outcomes";
import { ChildTimeouts } from "../children/child-timeouts";
import { runChild } from "../children/run-child";
import type { Claim } from "../claims/claim";
import type { Others } from "../others/others";
import { writeOther } from "../others/write-other";
import type { Permits } from "../queues/permits";
import type { Ended } from "../steps/keep-outcome";
import { keptError } from "../steps/kept-error";
import { isKept, type KeptStep, keptOutcome } from "../steps/kept-step";
import { plainBody, runStep } from "../steps/run-step";
import type { StepPlan } from "../steps/step-plan";
import { StepState } from "../steps/step-state";
import { transactionBody } from "../transactions/run-transaction";
import type { Drift } from "../versions/drift";
import { EventInquiry } from "../waits/ask-for-events";
import { runSleep } from "../waits/run-sleep";
import { runWait } from "../waits/run-wait";
import type { Performer } from "./context";
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
  const { app, others, permits } = means;
  const { services, transactions } = app;
  const inquiry = new EventInquiry(claim, db);
  const outcomes = new ChildOutcomes(pass, db);
  const timeouts = new ChildTimeouts(pass, db, others);
  const outcome = (plan: StepPlan, run: Run) => outcomeOf(pass, drift, plan, run);
  const performer: Performer = {
    services,
    step: (plan, body) => outcome(plan, (state) => runStep(pass, state, plainBody(pass, body), permits)),
    transaction: (plan, client, body) =>
      outcome(plan, (state) =>
        runStep(
          pass,
          state,
          client === "pg"
            ? transactionBody(pass, db, transactions.pg, body)
            : transactionBody(pass, db, transactions.app, body),
          permits,
        ),
      ),
    sleep: async (plan, until) => void (await outcome(plan, (state) => runSleep(pass, state, until))),
    child: (plan, child) => outcome(plan, (state) => runChild(pass, state, child, db, outcomes, timeouts)),
    other: (plan, write) =>
      outcome(plan, (state) =>
        runStep(
          pass,
          state,
          writeOther(pass, db, transactions, write, { ...others, masked: workflow.masked }),
          permits,
        ),
      ),
    checkpoint: () => rest.checkpoint(),
    wait: (plan, wait) => outcome(plan, (state) => runWait(rest, inquiry, state, wait)),
    log: (message, data, level) => claim.notes.log(BETWEEN_STEPS, message, data, level),
    progress: (progress) => claim.notes.progress(progress),
  };
  const code = async () => {
    await holdSingleton(pass, workflow, db);
    const value = await runCode(claim.run, workflow, performer);
    await drift?.before(undefined);
    return value;
  };
  rest.follow(within(claim.root, code));
}

/** Brings a step without an outcome to one. */
type Run = (state: StepState) => Promise<Ended>;

/** The step's recorded outcome, or the one that `run` brings it to; either comes in its turn. @throws the step's error */
async function outcomeOf(pass: Pass, drift: Drift | undefined, plan: StepPlan, run: Run): Promise<unknown> {
  const { claim } = pass;
  drift?.meet(plan.name);
  const state = new StepState(plan, claim);
  if (state.live && isKept(state.live)) return keptInTurn(claim, state, state.live);
  // Only then new work runs, and never in drifted code.
  await claim.order.caughtUp();
  await drift?.before(plan.name);
  try {
    const ended = await run(state);
    if (claim.trace && isWaitKind(plan.kind))
      claim.trace.waited(state, ended.next === "failed" ? ended.error : null, state.sentIn);
    if (ended.next === "completed" && isBlob(ended.output)) ended.output = await wholeOutput(pass, state, ended.output);
    await state.turn();
    if (ended.next === "failed") throw keptError(plan.name, ended.error);
    return decodeValue(ended.output);
  } finally {
    state.withoutOutcome();
  }
}

/** An outcome of an earlier pass. Large values are loaded when the code asks for them, several at once, and come in order. */
async function keptInTurn(claim: Claim, state: StepState, kept: KeptStep): Promise<unknown> {
  const { output, finishedPosition } = kept;
  if (output === null || !isBlob(output)) {
    await claim.order.turn(finishedPosition);
    return keptOutcome(kept);
  }
  const loading = Promise.resolve(claim.loaded(placeOf(claim, state), output));
  await claim.order.turn(finishedPosition, loading);
  return keptOutcome({ ...kept, output: await loading });
}

/** Of a step whose outcome another body, or an unanswered commit, has recorded, a reference alone may be known. */
const wholeOutput = ({ claim, rest }: Pass, state: StepState, output: string) =>
  rest.work(async () => claim.loaded(placeOf(claim, state), output));

const placeOf = (claim: Claim, { plan, generation }: StepState) =>
  [claim.run.id, "step", plan.name, generation] as const;
