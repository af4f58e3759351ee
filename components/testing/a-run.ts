import type { Attempt, AuditRow, Compensation, Run, RunListItem, Step } from "@/lib/api/contract/run";
import { RUN_STATUSES, type RunStatus } from "@/lib/engine/runs/run";

/** Seconds after the run of the tests began, as an instant. */
export const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, 0) + seconds * 1_000).toISOString();

const RUN_ID = "019aa5e0-0000-7000-8000-000000000001";

export function anAttempt(number: number, status: Attempt["status"], from: number, to: number | null): Attempt {
  const error = status === "failed" ? { name: "GatewayUnavailable", message: "connect ECONNREFUSED" } : null;
  return {
    number,
    version: 1,
    generation: 1,
    status,
    error,
    workerId: "1",
    startedAt: at(from),
    finishedAt: to === null ? null : at(to),
  };
}

export function anUndo(given: Partial<Compensation> = {}): Compensation {
  return {
    mode: "none",
    status: "none",
    by: null,
    note: null,
    reference: null,
    error: null,
    instructions: null,
    attempt: 0,
    nextAttemptAt: null,
    owedAt: null,
    finishedAt: null,
    assignee: null,
    assignedBy: null,
    assignedAt: null,
    evidence: null,
    ...given,
  };
}

export function aStep(name: string, position: number, given: Partial<Step> = {}): Step {
  return {
    name,
    position,
    finishedPosition: position,
    kind: "step",
    effect: "idempotent",
    status: "completed",
    attempt: 1,
    maxAttempts: 4,
    generation: 1,
    idempotencyKey: `${RUN_ID}:${name}:1`,
    reference: null,
    output: null,
    error: null,
    startedAt: at(position),
    finishedAt: at(position + 1),
    nextAttemptAt: null,
    attempts: [anAttempt(1, "completed", position, position + 1)],
    compensation: anUndo(),
    wait: null,
    canAsk: false,
    inDoubt: false,
    supersededBy: null,
    ...given,
  };
}

/** The audit row of the rerun that opened a generation. */
export function aRerun(generation: number, seconds: number, reason = "gateway is back"): AuditRow {
  return {
    id: String(generation),
    at: at(seconds),
    actor: "operator",
    act: "rerun",
    runId: RUN_ID,
    named: null,
    step: null,
    schedule: null,
    workflow: "order-fulfilment",
    actorKind: "person",
    credentialId: null,
    address: null,
    userAgent: null,
    requestId: null,
    planId: null,
    result: "done",
    code: null,
    seq: generation,
    keyId: "key-1",
    prevHash: "0".repeat(64),
    hash: "1".repeat(64),
    reason,
    before: { generation: generation - 1 },
    after: { generation },
  };
}

const NO_CHILDREN = Object.fromEntries(RUN_STATUSES.map((status) => [status, 0])) as Record<RunStatus, number>;

const NO_LIMITS = { queue: null, permits: [], singleton: null, beginBy: null, deadlineAt: null };

export function aRun(given: Partial<Run> = {}): Run {
  return {
    id: RUN_ID,
    workflow: "order-fulfilment",
    title: "Order fulfilment",
    version: 1,
    chosenVersion: null,
    codeVersion: 1,
    status: "completed",
    waitingFor: null,
    attention: null,
    input: {},
    output: null,
    error: null,
    failedStep: null,
    tags: {},
    headers: {},
    pageOf: null,
    runTitle: null,
    idempotencyKey: null,
    priority: 0,
    parentRunId: null,
    parentStep: null,
    generation: 1,
    revision: 1,
    cancelRequestedAt: null,
    pauseRequestedAt: null,
    pauseRoot: null,
    runAt: null,
    heldBy: null,
    workerId: null,
    progress: null,
    createdAt: at(0),
    startedAt: at(0),
    finishedAt: null,
    summary: "",
    steps: [],
    stepsLeftOut: 0,
    acts: [],
    primaryAct: null,
    events: [],
    audit: [],
    lostClaims: [],
    versionChanges: [],
    drift: [],
    workerAvailable: true,
    missingKey: null,
    blobError: null,
    owner: null,
    ...NO_LIMITS,
    children: { byStatus: NO_CHILDREN, total: 0, capped: false },
    begunBy: null,
    scheduledAt: null,
    erasedAt: null,
    startedFrom: null,
    startedAs: [],
    ancestors: [],
    rootCause: null,
    rootCauseCapped: false,
    ...given,
  };
}

export const aListedRun = (given: Partial<RunListItem> = {}): RunListItem => ({
  ...aRun(),
  stepBar: [],
  stepCount: 0,
  queueKey: null,
  workerName: null,
  ...given,
});
