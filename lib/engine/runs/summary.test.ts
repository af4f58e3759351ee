import { describe, expect, it } from "vitest";
import { RUN_STATUSES } from "./run";
import { type SummaryCompensation, type SummaryFacts, type SummaryStep, summarize } from "./summary";

const facts = (given: Partial<SummaryFacts>): SummaryFacts => ({
  status: "running",
  cancelRequested: false,
  pauseRequested: false,
  failedStep: null,
  errorMessage: null,
  waitingKind: null,
  waitingStep: null,
  startsLater: false,
  begun: true,
  workerAvailable: true,
  chosenVersion: null,
  missingKey: null,
  blobError: null,
  limits: [],
  inQueue: false,
  held: false,
  doneCount: 1,
  lastDone: "create-order",
  lastPosition: 2,
  skippedCount: 0,
  unfinished: [],
  compensations: [],
  ...given,
});
const step = (given: Partial<SummaryStep>): SummaryStep => ({
  name: "charge-payment",
  status: "running",
  position: 2,
  failures: 0,
  errorMessage: null,
  ...given,
});
const undo = (given: Partial<SummaryCompensation>): SummaryCompensation => ({
  step: "charge-payment",
  mode: "automatic",
  status: "owed",
  by: null,
  assignee: null,
  errorMessage: null,
  ...given,
});
const nothingDone = { doneCount: 0, lastDone: null };
const refused = "connect ECONNREFUSED";

const table: [string, Partial<SummaryFacts>, string][] = [
  ["new", { status: "pending", begun: false, ...nothingDone }, "Waiting for a free worker to start."],
  ["for later", { status: "pending", begun: false, startsLater: true, ...nothingDone }, "Scheduled to start later."],
  ["rerun", { status: "pending" }, "Create order is done. Waiting for a free worker to continue."],
  [
    "without a worker",
    { status: "pending", workerAvailable: false },
    "Create order is done. No live worker has this workflow. Start one to continue.",
  ],
  [
    "without a worker of its version",
    { status: "pending", workerAvailable: false, chosenVersion: 2, ...nothingDone },
    "No live worker has version 2 of this workflow. Start one to continue.",
  ],
  [
    "without its key",
    { status: "pending", missingKey: "2026-10" },
    "Create order is done. No live worker has the payload key “2026-10”. Add it to HANDRAIL_PAYLOAD_KEYS of a worker to continue.",
  ],
  ["running a step", { unfinished: [step({})] }, "Create order is done. Charge payment is running."],
  ["between steps", { ...nothingDone }, "Running."],
  [
    "in parallel",
    { unfinished: [step({}), step({ name: "b" }), step({ name: "c" })], doneCount: 3 },
    "3 steps are done, the last one “Create order”. Charge payment and 2 more are running.",
  ],
  [
    "being cancelled",
    { cancelRequested: true, unfinished: [step({})] },
    "Create order is done. Being cancelled: the current step may finish.",
  ],
  [
    "asleep",
    { status: "waiting", waitingKind: "timer", waitingStep: "wait-a-day" },
    "Create order is done. Sleeping at “Wait a day”.",
  ],
  [
    "backing off",
    {
      status: "waiting",
      waitingKind: "retry",
      waitingStep: "charge-payment",
      unfinished: [step({ status: "waiting", failures: 2, errorMessage: refused })],
    },
    "Create order is done. Charge payment failed 2 times: connect ECONNREFUSED. Retries automatically.",
  ],
  [
    "unknown, worker lost",
    {
      status: "waiting",
      waitingKind: "operator",
      waitingStep: "charge-payment",
      unfinished: [step({ status: "unknown" })],
    },
    "Create order is done. Charge payment has an unknown outcome: its worker was lost after it started. It may have happened. Check with the provider.",
  ],
  [
    "unknown, answer lost",
    {
      status: "waiting",
      waitingKind: "operator",
      waitingStep: "charge-payment",
      ...nothingDone,
      unfinished: [step({ status: "unknown", errorMessage: "the answer was lost" })],
    },
    "Charge payment has an unknown outcome: the answer was lost. It may have happened. Check with the provider.",
  ],
  [
    "for an event",
    { status: "waiting", waitingKind: "event", waitingStep: "paid" },
    "Create order is done. Waiting for an event at “Paid”.",
  ],
  [
    "for a child",
    { status: "waiting", waitingKind: "child", waitingStep: "sub" },
    "Create order is done. Waiting for another run at “Sub”.",
  ],
  [
    "for the child of one thing",
    { status: "waiting", waitingKind: "child", waitingStep: "fulfil-order:C-201", ...nothingDone },
    "Waiting for another run at “Fulfil order C-201”.",
  ],
  [
    "for a permit",
    { status: "waiting", waitingKind: "permit", waitingStep: "charge", ...nothingDone },
    "Waiting for a permit of a limit at “Charge”.",
  ],
  [
    "for a permit, with its limits",
    { status: "waiting", waitingKind: "permit", waitingStep: "charge", limits: ["stripe", "eu"], ...nothingDone },
    "Waiting for a permit of the limits stripe, eu at “Charge”.",
  ],
  [
    "for the blob store, which says why",
    { status: "waiting", waitingKind: "blob", waitingStep: "charge", blobError: "503 SlowDown", ...nothingDone },
    "Waiting for the blob store at “Charge”. It said: 503 SlowDown.",
  ],
  [
    "while a value cannot be put into the blob store",
    { blobError: "503 SlowDown\nat put", unfinished: [step({})] },
    "Create order is done. A value of “Charge payment” waits for the blob store. It said: 503 SlowDown.",
  ],
  [
    "for the blob store",
    { status: "waiting", waitingKind: "blob", waitingStep: "charge", ...nothingDone },
    "Waiting for the blob store at “Charge”.",
  ],
  ["for a slot", { status: "waiting", waitingKind: "slot", ...nothingDone }, "Waiting for a free slot."],
  [
    "for an approval",
    { status: "waiting", waitingKind: "approval", waitingStep: "ask-boss", ...nothingDone },
    "Waiting for approval at “Ask boss”.",
  ],
  [
    "failed",
    {
      status: "failed",
      failedStep: "charge-payment",
      errorMessage: refused,
      unfinished: [step({ status: "failed", failures: 4, errorMessage: refused })],
    },
    "Create order is done. Charge payment failed 4 times: connect ECONNREFUSED. No later step ran.",
  ],
  [
    "failed beside a step that ran",
    {
      status: "failed",
      failedStep: "charge-payment",
      errorMessage: refused,
      lastPosition: 3,
      unfinished: [step({ status: "failed", failures: 1, errorMessage: refused })],
    },
    "Create order is done. Charge payment failed: connect ECONNREFUSED.",
  ],
  [
    "failed between steps",
    { status: "failed", errorMessage: "boom!" },
    "Create order is done. The run failed between its steps: boom!",
  ],
  ["completed", { status: "completed", doneCount: 5 }, "Completed. 5 steps are done, the last one “Create order”."],
  ["completed without a step", { status: "completed", ...nothingDone }, "Completed. The run had no steps."],
  [
    "with a step skipped",
    { status: "completed", skippedCount: 1 },
    "Completed. Create order is done. 1 step was skipped.",
  ],
  [
    "all skipped",
    { status: "pending", skippedCount: 2, ...nothingDone },
    "2 steps were skipped. Waiting for a free worker to continue.",
  ],
  ["cancelled", { status: "cancelled" }, "Cancelled. Create order is done."],
  ["cancelled at once", { status: "cancelled", ...nothingDone }, "Cancelled. No step had completed."],
  ["paused", { status: "paused" }, "Create order is done. Paused by an operator. Resume the run to continue it."],
  [
    "compensating",
    {
      status: "compensating",
      compensations: [undo({ status: "completed", step: "send", by: "mia" }), undo({ status: "running" })],
    },
    "Charge payment is being compensated. 1 of 2 resolved.",
  ],
  [
    "a manual compensation is pending",
    { status: "compensating", compensations: [undo({ mode: "manual" })] },
    "Charge payment must be compensated manually.",
  ],
  [
    "a compensation failed",
    {
      status: "compensating",
      failedStep: "send",
      errorMessage: "no such mailbox",
      compensations: [undo({ status: "failed", errorMessage: refused })],
    },
    "Send failed: no such mailbox. Compensating “Charge payment” failed: connect ECONNREFUSED. Needs manual action.",
  ],
  [
    "compensated in every way",
    {
      status: "compensated",
      compensations: [
        undo({ status: "completed", by: "worker" }),
        undo({ status: "completed", by: "mia" }),
        undo({ status: "waived", by: "mia" }),
      ],
    },
    "All steps are compensated: 1 by the worker, 1 manually, 1 waived.",
  ],
];

describe("the sentence about a run", () => {
  it.each(table)("%s", (_, given, sentence) => {
    expect(summarize(facts(given))).toBe(sentence);
  });

  it("exists for every status", () => {
    for (const status of RUN_STATUSES) expect(summarize(facts({ status }))).toMatch(/^\S.*[.!?…]$/);
    expect(new Set(table.map(([, { status = "running" }]) => status))).toEqual(new Set(RUN_STATUSES));
  });

  it("uses the first line of a long message", () => {
    const errorMessage = `${"x".repeat(500)}\nsecond line`;
    const sentence = summarize(facts({ status: "failed", errorMessage }));
    expect(sentence).not.toContain("second line");
    expect(sentence.length).toBeLessThan(300);
  });

  it("has a text for an error without a message", () => {
    expect(summarize(facts({ status: "failed", errorMessage: " \n" }))).toContain("no message was given");
  });
});
