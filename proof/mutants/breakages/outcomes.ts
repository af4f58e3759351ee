import type { Mutant } from "../mutant";

const FLUSH = "lib/worker/records/flush.db.test.ts";
const LEFT = "lib/worker/claims/left-in-doubt.db.test.ts";
const ONCE = "lib/worker/steps/once.db.test.ts";
const RETRIES = "lib/worker/steps/retries.db.test.ts";
const TWICE = "lib/worker/transactions/transaction-twice.db.test.ts";

/** How an outcome is kept. */
const records: Mutant[] = [
  {
    name: "doubt-judged-by-the-next-build",
    promise: "P3",
    breaks: "A mail that a lost worker may have sent is sent again, because the next build calls its step idempotent.",
    file: "lib/worker/steps/step-state.ts",
    find: "EFFECTS.indexOf(before.effect) > EFFECTS.indexOf(plan.effect)",
    replace: "EFFECTS.indexOf(before.effect) < EFFECTS.indexOf(plan.effect)",
    killedBy: ["lib/worker/steps/once.db.test.ts"],
  },
  {
    name: "outcome-overwritten",
    promise: "P3",
    breaks: "A later record takes the place of a kept outcome.",
    file: "lib/store/steps/upsert-step.ts",
    find: "where step.status in ('running', 'waiting', 'unknown')",
    replace: "where step.status is not null",
    killedBy: [FLUSH],
  },
  {
    name: "late-start-mark-accepted",
    promise: "P3",
    breaks: "A start mark that arrives late takes the place of its attempt's outcome.",
    file: "lib/store/steps/upsert-step.ts",
    find: "and (excluded.status <> 'running' or excluded.attempt > step.attempt)",
    replace: "",
    killedBy: [FLUSH],
  },
  {
    name: "answer-before-commit",
    promise: "P3",
    breaks: "The buffer answers when it has taken a record, not when it has committed it.",
    file: "lib/worker/records/write-buffer.ts",
    find: "this.waiting.push({ record: given, resolve, reject });",
    replace:
      "this.waiting.push({ record: given, resolve: () => undefined, reject });\n      resolve({ asked: null, steps: new Map() });",
    killedBy: [FLUSH],
  },
  {
    name: "failed-flush-dropped",
    promise: "P3",
    breaks: "A flush that got no answer is not sent again.",
    file: "lib/worker/records/write-buffer.ts",
    find: "if (isRefusal(error)) return this.eachAlone(batch);\n        this.tally.flushFailures++;\n        await sleep(backoffMs(failures));",
    replace:
      "if (isRefusal(error)) return this.eachAlone(batch);\n        for (const entry of batch) entry.resolve({ asked: null, steps: new Map() });\n        return;",
    killedBy: [FLUSH],
  },
  {
    name: "refusal-fails-neighbours",
    promise: "P3",
    breaks: "A record that Postgres refuses fails every other record of its flush.",
    file: "lib/worker/records/write-buffer.ts",
    find: "if (isRefusal(error)) return this.eachAlone(batch);",
    replace: "if (isRefusal(error)) return batch.forEach((entry) => entry.reject(error));",
    killedBy: [FLUSH],
  },
  {
    name: "locked-run-taken-for-lost",
    promise: "P3",
    breaks: "A record of a run that another transaction holds for a moment is dropped as if the claim were lost.",
    file: "lib/worker/records/write-buffer.ts",
    find: "if (skipped.length > 0) this.eachAlone(skipped);",
    replace: "for (const entry of skipped) entry.reject(new ClaimLost(entry.record.runId));",
    killedBy: [FLUSH],
  },
  {
    name: "first-pass-sees-raw-output",
    promise: "P3",
    breaks: "The code gets what the body returned in the first pass, and what was kept of it in every other.",
    file: "lib/worker/steps/run-step.ts",
    find: "kept ??= await rest.work(() => permittedAttempt(pass, state, execute, permits));",
    replace: `let raw: unknown;
    const tap: Execute = async (...given) => {
      const outcome = await execute(...given);
      if (outcome.next === "completed") raw = outcome.output;
      return outcome;
    };
    kept ??= await rest.work(() => permittedAttempt(pass, state, tap, permits));
    if (kept?.next === "completed" && raw !== undefined) return raw;`,
    killedBy: ["lib/worker/passes/replay.db.test.ts"],
  },
  {
    name: "duplicate-name-allowed",
    promise: "P3",
    breaks: "Two steps of one name share one outcome, silently.",
    file: "lib/worker/passes/context.ts",
    find: "names.meet(name);",
    replace: "void names;",
    killedBy: ["lib/worker/passes/replay.db.test.ts"],
  },
  {
    name: "late-result-accepted",
    promise: "P3",
    breaks: "The result of an attempt that has timed out is still taken.",
    file: "lib/worker/steps/limits.ts",
    find: "controller.abort(error);\n      this.fail?.(error);",
    replace: "controller.abort(error);",
    killedBy: ["lib/worker/steps/timeouts.db.test.ts"],
  },
];

/** What is done about an unknown outcome. */
const doubt: Mutant[] = [
  {
    name: "start-mark-not-awaited",
    promise: "P3",
    breaks: "The body of a once step begins before its start is durable.",
    file: "lib/worker/steps/start-mark.ts",
    find: 'await claim.keep({ step: state.row("running") });',
    replace: 'void claim.keep({ step: state.row("running") });',
    killedBy: [FLUSH],
  },
  {
    name: "start-mark-missing",
    promise: "P3",
    breaks: "A once step is recorded when it has ended, and not before.",
    file: "lib/worker/steps/start-mark.ts",
    find: 'await claim.keep({ step: state.row("running") });',
    replace: "",
    killedBy: [ONCE],
  },
  {
    name: "once-repeated-after-loss",
    promise: "P3",
    breaks: "A once step whose worker died under its body is done again.",
    file: "lib/worker/steps/resume-step.ts",
    find: 'if (state.effect === "once") return keepUnknown(claim, state, undefined, row.workerId);',
    replace: "",
    killedBy: [ONCE],
  },
  {
    name: "once-repeated-after-shutdown",
    promise: "P3",
    breaks: "A once step that a shutdown has cut off is done again.",
    file: "lib/worker/steps/keep-outcome.ts",
    find: 'if (leavesDoubt && (effect === "once" || endsHere))',
    replace: "if (leavesDoubt && endsHere)",
    killedBy: ["lib/worker/loop/shutdown.db.test.ts"],
  },
  {
    name: "unknown-taken-for-failed",
    promise: "P3",
    breaks: "A step whose effect may have happened is called failed.",
    file: "lib/worker/steps/attempt.ts",
    find: 'return state.doubt === null ? { next: "failed", error } : { next: "unknown", error, ambiguous };',
    replace: 'return { next: "failed", error };',
    killedBy: [RETRIES],
  },
  {
    name: "doubt-forgotten-by-a-rerun",
    promise: "P3",
    breaks: "A rerun under the same key does not know that the attempt before it may have had its effect.",
    file: "lib/worker/steps/step-state.ts",
    find: "this.doubt = live?.doubt ?? doubtBefore(row);",
    replace: "this.doubt = live?.doubt ?? null;",
    killedBy: [RETRIES],
  },
  {
    name: "grace-begun-anew",
    promise: "P1",
    breaks: "A cancelled body that ignores its signal gets its time anew with each heartbeat.",
    file: "lib/worker/steps/body-aborts.ts",
    find: "if (endsAt >= this.graceEndsAt) return;",
    replace: "",
    killedBy: ["lib/worker/steps/body-aborts.test.ts"],
  },
  {
    name: "doubt-forgotten-between-claims",
    promise: "P3",
    breaks: "The next claim does not know that an earlier attempt may have had its effect.",
    file: "lib/worker/steps/step-state.ts",
    find: "this.doubt = live?.doubt ?? doubtBefore(row);",
    replace: "this.doubt = doubtBefore(row);",
    killedBy: [RETRIES],
  },
  {
    name: "silence-taken-for-no",
    promise: "P3",
    breaks: "A provider that cannot be asked is taken to have said that nothing happened.",
    file: "lib/worker/steps/reconcile.ts",
    find: 'if (answer === undefined) return { next: "unknown", error };\n  if (answer !== "did not happen") {',
    replace: 'if (answer !== undefined && answer !== "did not happen") {',
    killedBy: [ONCE],
  },
  {
    name: "cut-off-body-forgotten",
    promise: "P3",
    breaks: "A run that ends without another pass says nothing of the body that a lost worker was in.",
    file: "lib/worker/claims/execute-run.ts",
    find: "if (ENDS_THE_RUN.has(outcome.kind) && claim.mayBeInDoubt) ",
    replace: "if (!claim.run.id) ",
    killedBy: ["lib/worker/claims/cancel.db.test.ts"],
  },
  {
    name: "waiting-doubt-forgotten",
    promise: "P3",
    breaks: "A run ends while a step waits for its retry after a lost answer, and says nothing of it.",
    file: "lib/store/steps/cut-off-steps.ts",
    find: "(step.status = 'running' or step.status = 'waiting' and step.doubt is not null)",
    replace: "step.status = 'running'",
    killedBy: [LEFT],
  },
  {
    name: "handed-back-doubt-forgotten",
    promise: "P3",
    breaks:
      "A run that a cancel ends as its worker hands it back says nothing of the step that waits after a lost answer.",
    file: "lib/store/steps/record-statement.ts",
    find: "if (runs.some(mayCut)) {",
    replace: "if (runs.length < 0 && runs.some(mayCut)) {",
    killedBy: [LEFT],
  },
  {
    name: "key-changes-by-attempt",
    promise: "P3",
    breaks: "Every attempt has a different idempotency key.",
    file: "lib/worker/steps/step-state.ts",
    find: "this.plan.name, this.keyGeneration)",
    replace: "this.plan.name, this.keyGeneration + this.attempt)",
    killedBy: [RETRIES],
  },
  {
    name: "shutdown-spends-attempt",
    promise: "P3",
    breaks: "A body that a shutdown has cut off counts as a failure.",
    file: "lib/worker/steps/keep-outcome.ts",
    find: "if (leavesDoubt) state.doubt = error;",
    replace: "if (leavesDoubt) state.doubt = error;\n  state.failures++;",
    killedBy: ["lib/worker/loop/shutdown.db.test.ts"],
  },
];

/** Rows of the app and checkpoint of the engine, together. */
const transactions: Mutant[] = [
  {
    name: "checkpoint-beside-transaction",
    promise: "P2",
    breaks: "The checkpoint is committed beside the app's transaction, not with it.",
    file: "lib/worker/transactions/run-transaction.ts",
    find: "const receipt = await unlessAborted(recordStepInside(tx, id, { runId, epoch, step }));",
    replace: "await claim.keep({ step });\n    const receipt = { written: epoch > 0, allowed: true };",
    killedBy: ["lib/worker/records/lost-answers.db.test.ts"],
  },
  {
    name: "kept-checkpoint-ignored",
    promise: "P2",
    breaks: "A second body of a transactional step commits its rows although the first one's outcome is kept.",
    file: "lib/worker/transactions/run-transaction.ts",
    find: "if (!receipt.written) throw new KeptBefore();",
    replace: "",
    killedBy: [TWICE],
  },
  {
    name: "lost-commit-taken-for-failure",
    promise: "P2",
    breaks: "A transaction whose commit was not acknowledged is recorded as a failed attempt.",
    file: "lib/worker/transactions/run-transaction.ts",
    find: "if (isTrouble(error)) await claim.untilUsable(db);",
    replace: 'if (isTrouble(error)) throw new Error("failed");',
    killedBy: [TWICE],
  },
  {
    name: "late-transaction-commits",
    promise: "P2",
    breaks: "A transaction that has outlived its timeout commits all the same.",
    file: "lib/worker/transactions/run-transaction.ts",
    find: "signal.throwIfAborted();",
    replace: "",
    killedBy: [TWICE],
  },
  {
    name: "client-lent-in-transaction",
    promise: "P2",
    breaks: "A client whose rollback was not acknowledged is lent again, with its transaction open.",
    file: "lib/store/db.ts",
    find: "() => false,",
    replace: "() => true,",
    killedBy: ["lib/store/unacknowledged-rollback.db.test.ts"],
  },
  {
    name: "pool-takes-open-transactions",
    promise: "P2",
    breaks: "The pool takes back clients with a transaction open.",
    file: "lib/store/database/pools.ts",
    find: 'pool.on("release", (_, client) => endUnlessIdle(client));',
    replace: "void endUnlessIdle;",
    killedBy: ["lib/store/db.db.test.ts"],
  },
  {
    name: "commits-not-durable",
    promise: "P1",
    breaks: "A commit is acknowledged before it is durable.",
    file: "lib/store/database/session.ts",
    find: "set_config('synchronous_commit', 'on', false)",
    replace: "set_config('synchronous_commit', 'off', false)",
    killedBy: ["lib/store/db.db.test.ts"],
  },
];

export const outcomes: Mutant[] = [...records, ...doubt, ...transactions];
