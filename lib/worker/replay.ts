import { decodeValue } from "../engine/codec";
import type { Workflow } from "../engine/workflow";
import type { Db } from "../store/db";
import type { App } from "./app";
import { createContext, type Performer } from "./context";
import type { Pass } from "./pass";
import { runSleep } from "./run-sleep";
import { plainBody, runStep } from "./run-step";
import { transactionBody } from "./run-transaction";

/** Runs the workflow's code from its top; kept outcomes come back at once, the rest is executed. */
export function replay(pass: Pass, workflow: Workflow, db: Db, { services, transactions }: App): void {
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
    checkpoint: () => pass.checkpoint(),
  };
  const ctx = createContext(pass.run, workflow, performer);
  // Async, so that code which throws before its first await fails the run like any other.
  pass.follow((async () => workflow.handler(ctx, decodeValue(pass.run.input)))());
}
