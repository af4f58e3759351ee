import { approvalEvent } from "../../engine/events/approval";
import type { Db } from "../../store/db";
import { keepWaits } from "../../store/events/take-events";
import { aWorker, type GivenRun, type GivenStep, type Identity, storeRun } from "./run-rows";

const REFUSED = JSON.stringify({ name: "Error", message: "connect ECONNREFUSED 127.0.0.1:3001", code: "ECONNREFUSED" });

/** The steps of a small order, each with its compensation, up to the named one. */
const ORDER: GivenStep[] = [
  {
    name: "create-order",
    effect: "pure",
    status: "completed",
    output: '{"orderId":"A-17"}',
    compensation: "automatic",
  },
  {
    name: "charge-payment",
    effect: "idempotent",
    status: "completed",
    output: '{"id":"ch_1"}',
    compensation: "automatic",
  },
  { name: "send-confirmation", effect: "once", status: "completed", compensation: "manual" },
];

function orderUpTo(name: string, last: Omit<GivenStep, "name">): GivenStep[] {
  const index = ORDER.findIndex((step) => step.name === name);
  if (index < 0) throw new Error(`The order has no step ${name}.`);
  return [...ORDER.slice(0, index), { ...(ORDER[index] as GivenStep), output: undefined, ...last } as GivenStep];
}

/** Writes a run of an order in the requested state as rows. Each function returns the run's id. */
export function aRun(db: Db, identity: Identity = {}) {
  const store = (run: GivenRun) => storeRun(db, identity, run);
  return {
    pending: () => store({ status: "pending", steps: [] }),
    /** Held by a worker whose lease is valid for an hour. */
    runningAt: async (name: string) => {
      const workerId = await aWorker(db);
      return store({ status: "running", workerId, steps: orderUpTo(name, { status: "running", workerId }) });
    },
    asleepAfter: (name: string) => {
      const done = orderUpTo(name, { status: "completed" });
      return store({
        status: "waiting",
        waiting: { kind: "timer", step: "wait-a-day", dueInMs: 86_400_000 },
        steps: done,
      });
    },
    waitingUnknown: (name: string, { canAsk = false } = {}) =>
      store({
        status: "waiting",
        attention: "outcome_unknown",
        waiting: { kind: "operator", step: name },
        steps: orderUpTo(name, { status: "unknown", canAsk }),
      }),
    failedAt: (name: string) =>
      store({
        status: "failed",
        attention: "failed",
        failedStep: name,
        error: REFUSED,
        steps: orderUpTo(name, { status: "failed", error: REFUSED, attempt: 4, failures: 4 }),
      }),
    /** Failed in its code, after all its steps. */
    failedBetweenSteps: () => store({ status: "failed", attention: "failed", error: REFUSED, steps: ORDER }),
    completed: () => store({ status: "completed", output: '{"orderId":"A-17"}', steps: ORDER }),
    cancelledWithUnknown: (name: string) =>
      store({ status: "cancelled", attention: "outcome_unknown", steps: orderUpTo(name, { status: "unknown" }) }),
    paused: () => store({ status: "paused", steps: orderUpTo("create-order", { status: "completed" }) }),
    /** Waiting until a person answers "Go on?". */
    asking: async (name: string, choices: string[]) => {
      const waiting = { kind: "approval", step: name } as const;
      const runId = await store({
        status: "waiting",
        attention: "approval",
        waiting,
        steps: [{ name, kind: "approval", effect: "pure", status: "waiting" }],
      });
      await keepWaits(db, runId, [
        {
          step: name,
          generation: 1,
          event: approvalEvent(name, 1),
          key: null,
          filter: null,
          question: { text: "Go on?", choices, data: "null" },
          takesAgain: false,
          closed: false,
        },
      ]);
      return runId;
    },
    ...compensatingRun(db, store),
    /** Any other state. */
    like: store,
  };
}

function compensatingRun(db: Db, store: (run: GivenRun) => Promise<string>) {
  return {
    /** Its last compensation needs a person; the two before it wait behind that one. */
    compensating: () =>
      store({
        status: "compensating",
        attention: "compensation_owed",
        waiting: { kind: "operator", step: "send-confirmation" },
        steps: ORDER,
        compensations: [
          { step: "create-order", mode: "automatic", status: "owed" },
          { step: "charge-payment", mode: "automatic", status: "owed" },
          { step: "send-confirmation", mode: "manual", status: "owed" },
        ],
      }),
    /** The refund has its retries exhausted; the order's compensation is still pending. */
    failedToCompensate: () =>
      store({
        status: "compensating",
        attention: "compensation_owed",
        waiting: { kind: "operator", step: "charge-payment" },
        error: REFUSED,
        failedStep: "send-confirmation",
        steps: ORDER.slice(0, 2),
        compensations: [
          { step: "create-order", mode: "automatic", status: "owed" },
          { step: "charge-payment", mode: "automatic", status: "failed", error: REFUSED },
        ],
      }),
    /** A worker holds it and is refunding now, while the order's compensation waits. */
    compensatingInHand: async () => {
      const workerId = await aWorker(db);
      return store({
        status: "compensating",
        workerId,
        steps: ORDER.slice(0, 2),
        compensations: [
          { step: "create-order", mode: "automatic", status: "owed" },
          { step: "charge-payment", mode: "automatic", status: "running" },
        ],
      });
    },
  };
}
