import type { Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import type { OpenApp } from "../app";
import { ChildOutcomes } from "../children/child-outcomes";
import { runChild } from "../children/run-child";
import { plainBody, runStep } from "../steps/run-step";
import { transactionBody } from "../transactions/run-transaction";
import { EventInquiry } from "../waits/ask-for-events";
import { runSleep } from "../waits/run-sleep";
import { runWait } from "../waits/run-wait";
import type { Performer } from "./context";
import type { Pass } from "./pass";
import { runCode } from "./run-code";
import { BETWEEN_STEPS } from "./run-notes";

/** Runs the workflow's code from its top; recorded outcomes return at once, the rest is executed. */
export function replay(pass: Pass, workflow: Workflow, db: Db, { services, transactions }: OpenApp): void {
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
  pass.follow(runCode(pass.run, workflow, performer));
}
