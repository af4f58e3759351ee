import type { Mutant } from "../mutant";

const AT_REST = "lib/worker/claims/cancel-at-rest.db.test.ts";
const CANCEL = "lib/worker/claims/cancel.db.test.ts";
const TIMERS = "lib/worker/waits/timers.db.test.ts";
const TWICE = "lib/worker/transactions/transaction-twice.db.test.ts";
const UNDO = "lib/worker/compensations/compensate-run.db.test.ts";

/** Sleeps, retries and delayed starts. */
const timers: Mutant[] = [
  {
    name: "sleep-ends-early",
    promise: "P7",
    breaks: "A run goes on without having slept.",
    file: "lib/worker/waits/run-sleep.ts",
    find: "if (kept.dueInMs > 0) await",
    replace: "if (kept.dueInMs > 1e9) await",
    killedBy: [TIMERS],
  },
  {
    name: "sleep-by-workers-clock",
    promise: "P7",
    breaks: "A sleep ends by the worker's clock.",
    file: "lib/worker/waits/run-sleep.ts",
    find: 'state.row("waiting", { next: until })',
    replace:
      'state.row("waiting", { next: "at" in until ? until : { at: new Date(Date.now() + until.inMs).toISOString() } })',
    killedBy: [TIMERS],
  },
  {
    name: "timer-by-transaction-time",
    promise: "P7",
    breaks: "A timer is set from the time at which the transaction began.",
    file: "lib/store/steps/record-statement.ts",
    find: "coalesce(next_at, clock_timestamp() + next_in_ms",
    replace: "coalesce(next_at, now() + next_in_ms",
    killedBy: [TIMERS],
  },
  {
    name: "undo-timer-by-transaction-time",
    promise: "P7",
    breaks: "The next attempt of a compensation is due from the time at which its record's transaction began.",
    file: "lib/store/compensations/next-compensation.ts",
    find: "next_attempt_at = clock_timestamp() + $",
    replace: "next_attempt_at = now() + $",
    killedBy: [TIMERS],
  },
  {
    name: "retry-comes-early",
    promise: "P7",
    breaks: "A claim tries a step again before its next attempt is due.",
    file: "lib/worker/steps/resume-step.ts",
    find: 'return dueInMs > 0 ? { next: "waiting", dueAt: row.dueAt, dueInMs } : undefined;',
    replace: "if (dueInMs >= 0) return undefined;",
    killedBy: [TIMERS],
  },
  {
    name: "delayed-start-at-once",
    promise: "P7",
    breaks: "A run that is to start later is claimed at once.",
    file: "lib/store/runs/due-sql.ts",
    find: `> clock_timestamp() then \${runAt}\n`,
    replace: "> clock_timestamp() then null::timestamptz\n",
    killedBy: ["lib/store/workers/claim-runs.db.test.ts"],
  },
];

/** An operator's request to end a run. */
const cancels: Mutant[] = [
  {
    name: "cancel-lost-at-suspension",
    promise: "P6",
    breaks: "A cancel that meets the run on its way to rest is forgotten.",
    file: "lib/store/steps/record-statement.ts",
    find: "run.cancel_requested_at is not null and given.status in ('waiting', 'pending') as cancels",
    replace: "false as cancels",
    killedBy: [AT_REST],
  },
  {
    name: "cancel-recorded-as-failure",
    promise: "P3",
    breaks: "A body that a cancel has aborted counts as a failed attempt.",
    file: "lib/worker/steps/attempt.ts",
    find: 'if (aborted() && !isFinal(error)) return { next: "interrupted", error, by: rest.stopReason };',
    replace: "",
    killedBy: [CANCEL],
  },
  {
    name: "cancel-unheard-at-record",
    promise: "P6",
    breaks: "A worker that learns of a cancel with its record begins the next step all the same.",
    file: "lib/worker/claims/claim.ts",
    find: 'if (asked === "cancel") this.rest.stop("cancelled");',
    replace: 'if (asked === "cancel") return;',
    killedBy: [AT_REST],
  },
  {
    name: "cancel-unheard-at-beat",
    promise: "P6",
    breaks: "A cancel does not reach a body in flight.",
    file: "lib/worker/loop/worker.ts",
    find: 'for (const runId of news.cancelled) this.passes.get(runId)?.rest.stop("cancelled");',
    replace: "",
    killedBy: [CANCEL],
  },
  {
    name: "body-begun-after-cancel",
    promise: "P6",
    breaks: "A once step whose start mark met a cancel begins its body.",
    file: "lib/worker/steps/run-step.ts",
    find: "if (rest.bodies.because) return keepUnbegun(claim, state, rest.bodies.because);",
    replace: "",
    killedBy: ["lib/worker/steps/once.db.test.ts"],
  },
];

const undos: Mutant[] = [
  {
    name: "undo-in-forward-order",
    promise: "P10",
    breaks: "Compensations begin with what completed first.",
    file: "lib/store/compensations/next-compensation.ts",
    find: "order by position desc limit 1",
    replace: "order by position limit 1",
    killedBy: [UNDO],
  },
  {
    name: "undo-failure-ignored",
    promise: "P10",
    breaks: "A compensation that failed is recorded as done.",
    file: "lib/worker/compensations/compensate-run.ts",
    find: "return keep(afterFailure(rest.bodies, plan, current, error));",
    replace: "void afterFailure;",
    killedBy: [UNDO],
  },
  {
    name: "undo-passes-by-failed-one",
    promise: "P10",
    breaks: "A compensation whose retries are exhausted does not hold up what completed before it.",
    file: "lib/store/compensations/next-compensation.ts",
    find: "status in ('owed', 'running', 'failed')",
    replace: "status in ('owed', 'running')",
    killedBy: [UNDO],
  },
  {
    name: "undo-despite-doubt",
    promise: "P10",
    breaks: "A run is compensated while the outcome of one of its steps is unknown.",
    file: "lib/store/compensations/fail-and-compensate.ts",
    find: "returning undoable and not in_doubt",
    replace: "returning undoable",
    killedBy: [UNDO],
  },
  {
    name: "undo-beside-transaction",
    promise: "P10",
    breaks: "The compensation of a transactional step commits before its record.",
    file: "lib/worker/compensations/compensate-run.ts",
    find: "await compensateInTransaction(pass, plan, current, db, app);\n      return true;",
    replace: `await app.transactions.app(async (tx) => runCompensation(claim, plan, current, rest.bodies.signal, tx));
      await faultPoint("compensation:after-body", current.step);
      return keep({ to: "completed" });`,
    killedBy: [UNDO],
  },
  {
    name: "undo-committed-twice",
    promise: "P10",
    breaks: "A transactional compensation commits its rows although its outcome is on record.",
    file: "lib/worker/compensations/compensate-run.ts",
    find: 'if (receipt === "unchanged") throw new KeptBefore();',
    replace: "void KeptBefore;",
    killedBy: [TWICE],
  },
  {
    name: "undo-spends-attempt-at-shutdown",
    promise: "P10",
    breaks: "A compensation that a shutdown has cut off counts as a failure.",
    file: "lib/worker/compensations/compensate-run.ts",
    find: 'if (bodies.because && !isFinal(thrown)) return { to: "owed"',
    replace: 'if (error === "") return { to: "owed"',
    killedBy: [UNDO],
  },
  {
    name: "undo-with-the-steps-key",
    promise: "P10",
    breaks: "A compensation has the key of its step: a provider takes the refund for the charge.",
    file: "lib/engine/steps/idempotency-key.ts",
    find: "keyGeneration)}:undo`",
    replace: "keyGeneration)}`",
    killedBy: [UNDO],
  },
];

export const endings: Mutant[] = [...timers, ...cancels, ...undos];
