import type { Mutant } from "../mutant";

const QUEUES = "lib/worker/queues/queues.db.test.ts";
const LOCK = "lib/worker/queues/queue-lock.db.test.ts";
const TOTALS = "lib/worker/queues/queue-totals.db.test.ts";
const RETENTION = "lib/worker/duties/retention.db.test.ts";
const REMOTE = "lib/api/remote/remote-queues.db.test.ts";
const PERMITS = "lib/worker/queues/permits.db.test.ts";
const PERMIT_WAITS = "lib/worker/queues/permit-waits.db.test.ts";
const LIMITS = "lib/operator/workflows/limits.db.test.ts";

/** Limits: never overspent, never leaked, no run starved. */
export const queues: Mutant[] = [
  {
    name: "slots-of-another-key",
    promise: "P1",
    breaks: "A queue's slots are those of all keys.",
    file: "lib/store/queues/queue-facts.ts",
    find: "run.queue_key = at.key and run.worker_id is not null",
    replace: "run.worker_id is not null",
    killedBy: [QUEUES],
  },
  {
    name: "rate-holds-up-what-has-begun",
    promise: "P1",
    breaks: "A queue whose rate is used up holds runs that have begun.",
    file: "lib/store/queues/claim-queued.ts",
    find: "when starts <= 0 and not goes_on then (",
    replace: "when starts <= 0 then (",
    killedBy: [QUEUES],
  },
  {
    name: "closed-queue-forgets-its-note",
    promise: "P1",
    breaks: "A note does not open a queue that was closed.",
    file: "lib/store/queues/queue-lanes.ts",
    find: "set ready = true, opens_at = null,",
    replace: "set ready = lane.ready, opens_at = lane.opens_at,",
    killedBy: [QUEUES],
  },
  {
    name: "window-ignored",
    promise: "P7",
    breaks: "Runs are claimed outside of their workflow's window.",
    file: "lib/store/queues/claim-queued.ts",
    find: "where lane.open_now",
    replace: "where lane.open_now is not null",
    killedBy: [QUEUES],
  },
  {
    name: "live-limits-bind-nobody",
    promise: "P9",
    breaks: "Claims do not read the limits that an operator has set.",
    file: "lib/store/queues/queue-facts.ts",
    find: "coalesce(queue_limit.concurrency, given.concurrency) as concurrency",
    replace: "given.concurrency as concurrency",
    killedBy: [LIMITS],
  },
  {
    name: "changed-limits-open-no-queue",
    promise: "P9",
    breaks: "Queues that were closed by the old limits stay closed under the new ones.",
    file: "lib/store/queues/queue-lanes.ts",
    find: "from handrail.queue_lane where workflow = $1",
    replace: "from handrail.queue_lane where workflow = $1 and ready",
    killedBy: [LIMITS],
  },
  {
    name: "queues-without-their-lock",
    promise: "P1",
    breaks: "Two claims count the slots of one queue at the same instant.",
    file: "lib/store/queues/claim-queued.ts",
    find: "for no key update of lane skip locked",
    replace: "",
    killedBy: [LOCK],
  },
  {
    name: "workflows-without-their-lock",
    promise: "P1",
    breaks: "Two claims count the slots of all keys at the same instant, in different queues.",
    file: "lib/store/queues/queue-totals.ts",
    find: "for no key update skip locked",
    replace: "",
    killedBy: [TOTALS],
  },
  {
    name: "total-ignored",
    promise: "P1",
    breaks: "The limit over all keys does not bind.",
    file: "lib/store/queues/claim-queued.ts",
    find: "where of_all <= slots_of_all and",
    replace: "where",
    killedBy: [TOTALS],
  },
  {
    name: "full-workflow-forgets-its-note",
    promise: "P1",
    breaks: "A slot that comes free does not open a workflow that was full.",
    file: "lib/store/queues/queue-lanes.ts",
    find: `set "full" = false, starts_at = null`,
    replace: `set "full" = total."full", starts_at = total.starts_at`,
    killedBy: [TOTALS],
  },
  {
    name: "retention-forgets-the-rate",
    promise: "P1",
    breaks: "Runs that a rate still counts are deleted, so that more begin.",
    file: "lib/store/runs/retention.ts",
    find: "run.queue_key is not null and run.started_at > clock_timestamp()",
    replace: "run.queue_key is null and run.started_at > clock_timestamp()",
    killedBy: [RETENTION],
  },
  {
    name: "empty-remote-claim-rolls-back",
    promise: "P7",
    breaks:
      "A claim over HTTP that takes nothing undoes what it did: runs that it let into their queues are out of them again.",
    file: "lib/remote/claim.ts",
    find: "if (taken.runs.length === 0) return taken;",
    replace: "if (taken.runs.length === 0) throw new GoesBack([]);",
    killedBy: [REMOTE],
  },
  {
    name: "overdue-run-is-not-listed",
    promise: "P7",
    breaks: "Nothing is said of a due run that no worker lets into its queue.",
    file: "lib/store/workers/overdue.ts",
    find: "(worker.idle or",
    replace: "(worker.idle and",
    killedBy: ["lib/store/workers/overdue.db.test.ts"],
  },
  {
    name: "limited-step-without-a-permit",
    promise: "P1",
    breaks: "The body of a limited step begins although there is no permit for it.",
    file: "lib/worker/steps/run-step.ts",
    find: "if (refused) return refused;",
    replace: "",
    killedBy: [PERMITS],
  },
  {
    name: "permit-comes-free-unheard",
    promise: "P1",
    breaks: "Nobody is called when a permit comes free: who waits asks again only after seconds.",
    file: "lib/worker/steps/run-step.ts",
    find: "permits.release(limits);",
    replace: "",
    killedBy: [PERMIT_WAITS],
  },
  {
    name: "permit-of-the-attempt-before",
    promise: "P1",
    breaks: "A retry goes on with the permit of the attempt before, which is free for others.",
    file: "lib/worker/queues/permits.ts",
    find: "attempt: state.attempt + 1 }",
    replace: "attempt: 1 }",
    killedBy: [PERMITS],
  },
];
