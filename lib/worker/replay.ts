import { decodeValue } from "../engine/codec";
import { checkInput } from "../engine/start";
import type { Workflow } from "../engine/workflow";
import type { ClaimedRun } from "../store/claim-runs";
import type { Db } from "../store/db";
import type { App } from "./app";
import { EventInquiry } from "./ask-for-events";
import { ChildOutcomes } from "./child-outcomes";
import { createContext, type Performer } from "./context";
import type { Pass } from "./pass";
import { runChild } from "./run-child";
import { BETWEEN_STEPS } from "./run-notes";
import { runSleep } from "./run-sleep";
import { plainBody, runStep } from "./run-step";
import { transactionBody } from "./run-transaction";
import { runWait } from "./run-wait";

/** Runs the workflow's code from its top; kept outcomes come back at once, the rest is executed. */
export function replay(pass: Pass, workflow: Workflow, db: Db, { services, transactions }: App): void {
  const inquiry = new EventInquiry(pass, db);
  const outcomes = new ChildOutcomes(pass, db);
  const performer: Performer = {
    services,
    step: (plan, body) => runStep(pass, plan, plainBody(pass, body)),
    transaction: (plan, client, body) =>
      runStep(
        pass,
        plan,
        client === "pg"
          ? transactionBody(pass, db, transactions.pg, body)
          : transactionBody(pass, db, transactions.app, body),
      ),
    sleep: (plan, until) => runSleep(pass, plan, until),
    child: (plan, child) => runChild(pass, plan, child, db, outcomes),
    checkpoint: () => pass.checkpoint(),
    wait: (plan, wait) => runWait(pass, inquiry, plan, wait),
    log: (message, data) => pass.notes.log(BETWEEN_STEPS, message, data),
    progress: (progress) => pass.notes.progress(progress),
  };
  const ctx = createContext(pass.run, workflow, performer);
  // Async, so that code which throws before its first await fails the run like any other.
  pass.follow((async () => workflow.handler(ctx, await inputOf(pass.run, workflow)))());
}

/** A run that SQL started brings its input as it was given. @throws HandrailError `invalid_input` */
export function inputOf({ input, inputChecked }: ClaimedRun, workflow: Workflow): unknown {
  const value = decodeValue(input);
  return inputChecked ? value : checkInput(workflow, value);
}
