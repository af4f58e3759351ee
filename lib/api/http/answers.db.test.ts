import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { insertDestination } from "../../store/notices/destinations";
import { newPlanId } from "../../store/run-id";
import { ANSWERED_ELSEWHERE } from "../../testing/api/answered-elsewhere";
import type { Answered, Asking } from "../../testing/api/api";
import { type ApiOnADatabase, anApiOnADatabase } from "../../testing/api/api-on-a-database";
import { aRun } from "../../testing/rows/a-run";
import { aWorker } from "../../testing/rows/run-rows";
import { getOpenApi } from "../all-endpoints";
import { errorResponse } from "../contract/responses";
import type { Endpoint } from "../endpoint";
import * as endpoints from "../endpoints";

let { api, database, db, close } = {} as ApiOnADatabase;
beforeAll(async () => {
  ({ api, database, db, close } = await anApiOnADatabase());
});
afterAll(() => close());

const answered = new Set<Endpoint>();

/** Sends a request and checks the answer against the contract. */
async function ask(endpoint: Endpoint, path: string, asking: Asking = {}): Promise<Answered> {
  const answer = await api.ask(endpoint.method, path, asking);
  expect(Object.keys(endpoint.statuses), JSON.stringify(answer.body)).toContain(String(answer.status));
  const { error } = (endpoint.answer as z.ZodType).safeParse(answer.body);
  expect(error?.issues ?? []).toEqual([]);
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  answered.add(endpoint);
  return answer;
}

const reason = "the gateway is back";
const input = { orderId: "A-1", amountCents: 4200, email: "ada@example.com" };

describe("every endpoint answers as its contract says", () => {
  it("starts a run, gives it again, and refuses another input for its key", async () => {
    const body = { workflow: "order-fulfilment", input, idempotencyKey: "order-A-1", tags: { shop: "berlin" } };
    const first = await ask(endpoints.startRun, "/v1/runs", { body });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ status: "pending", input, tags: { orderId: "A-1", shop: "berlin" } });
    const again = await ask(endpoints.startRun, "/v1/runs", { body });
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id } });
    const other = await api.ask("POST", "/v1/runs", { body: { ...body, input: { ...input, amountCents: 1 } } });
    expect(other).toMatchObject({ status: 409, body: { error: { code: "idempotency_conflict" } } });
  });

  it("starts a run later, where it is asked to", async () => {
    const runAt = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await ask(endpoints.startRun, "/v1/runs", {
      body: { workflow: "order-fulfilment", input, runAt },
    });
    expect(body).toMatchObject({ status: "pending", runAt });
  });

  it("starts many at once, and changes the limits of a workflow", async () => {
    const runs = [{ input, delayMs: 60_000 }];
    const { body } = await ask(endpoints.startRuns, "/v1/runs/batch", {
      body: { workflow: "order-fulfilment", runs },
    });
    expect(body.runs).toMatchObject([{ created: true }]);
    const limits = { concurrency: 3, keyed: true };
    await database.pool.query("insert into handrail.workflow (name, version, title, limits) values ($1, 1, $1, $2)", [
      "a-limited",
      { ...limits, rate: null, window: null },
    ]);
    const changed = await ask(endpoints.changeLimits, "/v1/workflows/a-limited/limits", {
      body: { concurrency: 5, rate: null, reason },
    });
    expect(changed.body).toMatchObject({ limits, liveLimits: { concurrency: 5, rate: null } });
    const intake = "/v1/workflows/a-limited/intake";
    const closed = await ask(endpoints.closeIntake, `${intake}/closure`, { body: { holds: "all", reason } });
    expect(closed.body).toMatchObject({ intake: { holds: "all" } });
    expect((await ask(endpoints.openIntake, `${intake}/opening`, { body: { reason } })).body).toMatchObject({
      intake: null,
    });
    await database.pool.query("delete from handrail.workflow where name = 'a-limited'");
  });

  it("lists, counts and finds runs", async () => {
    await aRun(db, { idempotencyKey: "key-77", tags: { orderId: "B-2" } }).failedAt("charge-payment");
    const { body: list } = await ask(endpoints.listRuns, "/v1/runs?status=failed&limit=1");
    expect(list.runs[0]).toMatchObject({
      status: "failed",
      stepCount: 2,
      stepBar: [
        { name: "create-order", status: "completed" },
        { name: "charge-payment", status: "failed", attempt: 4, maxAttempts: 4 },
      ],
      summary:
        "Create order is done. Charge payment failed 4 times: connect ECONNREFUSED 127.0.0.1:3001. No later step ran.",
    });
    const { body: tagged } = await ask(endpoints.listRuns, "/v1/runs?tag.orderId=B-2");
    expect(tagged.runs).toHaveLength(1);
    const { body: counts } = await ask(endpoints.countRuns, "/v1/runs/counts?q=key-77");
    expect(counts).toMatchObject({ byStatus: { failed: 1, completed: 0 }, byAttention: { failed: 1 }, capped: false });
  });

  it("shows a run in full", async () => {
    const runId = await aRun(db).compensating();
    const { body } = await ask(endpoints.getRun, `/v1/runs/${runId}`);
    expect(body).toMatchObject({ id: runId, primaryAct: "mark_compensated", workerAvailable: false });
    const { body: part } = await ask(endpoints.getRun, `/v1/runs/${runId}?steps=1`);
    expect(part).toMatchObject({ steps: [{}], stepsLeftOut: 2, acts: body.acts });
  });

  it("pages through a run's steps, and reads one in full", async () => {
    const runId = await aRun(db).completed();
    const { body: first } = await ask(endpoints.listSteps, `/v1/runs/${runId}/steps?limit=2`);
    const { body: rest } = await ask(endpoints.listSteps, `/v1/runs/${runId}/steps?cursor=${first.nextCursor}`);
    const names = [...first.steps, ...rest.steps].map(({ name }) => name);
    expect(names).toEqual(["charge-payment", "create-order", "send-confirmation"]);
    const { body: one } = await ask(endpoints.getStep, `/v1/runs/${runId}/steps/charge-payment`);
    expect(one.steps).toMatchObject([{ name: "charge-payment", output: { id: "ch_1" } }]);
  });

  it("says what is normal for a run's steps", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    const { body } = await ask(endpoints.getRunNormal, `/v1/runs/${runId}/normal`);
    expect(body).toMatchObject({ goodRun: { runId: expect.any(String) }, steps: [] });
  });

  it("shows a run's log", async () => {
    const runId = await aRun(db).completed();
    const { body } = await ask(endpoints.listRunLog, `/v1/runs/${runId}/logs?q=nothing`);
    expect(body).toMatchObject({ lines: [], nextCursor: null, full: false });
  });

  it("searches the logs of all runs", async () => {
    const runId = await aRun(db).completed();
    const line = `insert into handrail.log (run_id, key, during, message, at, level) values ($1, 'k', 'code', 'a quokka passed', now(), 'warn')`;
    await db.query({ name: "", text: line }, [runId]);
    const { body } = await ask(endpoints.searchLogs, "/v1/logs?q=QUOKKA&level=warn&after=1h");
    expect(body).toMatchObject({ lines: [{ runId, level: "warn", message: "a quokka passed" }], nextCursor: null });
    const { body: errors } = await ask(endpoints.searchLogs, "/v1/logs?q=quokka&level=error");
    expect(errors).toMatchObject({ lines: [], lookedBackTo: null, leavesOutMasked: false });
  });

  it("waits for the end of a run, and says so when the wait expires", async () => {
    const runId = await aRun(db).completed();
    expect((await ask(endpoints.getResult, `/v1/runs/${runId}/result?waitMs=60000`)).status).toBe(200);
    const unfinished = await aRun(db).asleepAfter("create-order");
    expect((await ask(endpoints.getResult, `/v1/runs/${unfinished}/result?waitMs=50`)).status).toBe(202);
    const cancelled = ask(endpoints.getResult, `/v1/runs/${unfinished}/result?waitMs=30000`);
    await ask(endpoints.cancelRun, `/v1/runs/${unfinished}/cancellation`, { body: { reason } });
    expect(await cancelled).toMatchObject({ status: 200, body: { status: "cancelled" } });
  });

  it("carries out the actions", async () => {
    const failed = await aRun(db).failedAt("charge-payment");
    const rerun = await ask(endpoints.rerunRun, `/v1/runs/${failed}/reruns`, { body: { reason } });
    expect(rerun).toMatchObject({ status: 202, body: { status: "pending", generation: 2 } });
    const again = await aRun(db).failedAt("charge-payment");
    const snoozed = await ask(endpoints.snoozeRun, `/v1/runs/${again}/snooze`, { body: { reason } });
    expect(snoozed).toMatchObject({ status: 202, body: { audit: [{ act: "snooze", after: { until: "change" } }] } });
    const late = { reason, until: "2020-01-01T00:00:00Z" };
    const refused = await api.ask("POST", `/v1/runs/${again}/snooze`, { body: late });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } });
    const old = await aRun(db, { id: "01900000-0000-7000-8000-0000000000dd", createdAt: new Date(0) }).completed();
    const bare = await ask(endpoints.eraseRun, `/v1/runs/${old}/erasure`, { body: { reason } });
    expect(bare.body.input).toEqual({ $type: "erased" });
    expect((await ask(endpoints.deleteRun, `/v1/runs/${old}/deletion`, { body: { reason } })).body.deleted).toBe(1);
    const completed = await aRun(db).completed();
    const { body } = await ask(endpoints.compensateRun, `/v1/runs/${completed}/compensations`, { body: { reason } });
    const undo = `/v1/runs/${completed}/compensations/send-confirmation`;
    const taken = await ask(endpoints.assignCompensation, `${undo}/assignment`, {
      body: { assignee: "mia", insteadOf: null },
    });
    expect(taken.body.steps[2].compensation).toMatchObject({ assignee: "mia", assignedBy: "operator" });
    const evidence = "https://tickets.example/T-1";
    const marked = await ask(endpoints.resolveCompensation, `${undo}/resolution`, {
      body: { outcome: "compensated", note: "wrote to them", evidence, revision: body.revision },
    });
    expect(marked.body.steps[2].compensation).toMatchObject({ status: "completed", by: "operator", evidence });
    const unknown = await aRun(db).waitingUnknown("charge-payment");
    const settled = await ask(endpoints.resolveStep, `/v1/runs/${unknown}/steps/charge-payment/resolution`, {
      body: { outcome: "happened", output: { id: "ch_1" }, reason },
    });
    expect(settled.body).toMatchObject({ status: "pending", attention: null });
  });

  it("lists the children of a run", async () => {
    const parent = await aRun(db).completed();
    const child = await aRun(db).completed();
    await database.pool.query(
      "update handrail.run set parent_run_id = $1, parent_step = 's', parent_key_generation = 1 where id = $2",
      [parent, child],
    );
    const listed = await ask(endpoints.listChildren, `/v1/runs/${parent}/children?status=completed&limit=10`);
    expect(listed).toMatchObject({
      status: 200,
      body: {
        runs: [{ id: child, parentStep: "s", descendants: { total: 0 } }],
        descendants: { byStatus: { completed: 1 }, total: 1, capped: false },
        nextCursor: null,
      },
    });
    const { body } = await ask(endpoints.getRun, `/v1/runs/${parent}`);
    expect(body.children).toMatchObject({ total: 1, capped: false });
    const below = await ask(endpoints.getRun, `/v1/runs/${child}`);
    expect(below.body.ancestors).toMatchObject([{ runId: parent, parentRunId: null, status: "completed" }]);
  });

  it("controls a run", async () => {
    const asleep = await aRun(db).asleepAfter("create-order");
    const paused = await ask(endpoints.pauseRun, `/v1/runs/${asleep}/pause`, { body: { reason } });
    expect(paused).toMatchObject({ status: 202, body: { status: "paused", primaryAct: "resume" } });
    const resumed = await ask(endpoints.resumeRun, `/v1/runs/${asleep}/resumption`, { body: { reason } });
    expect(resumed).toMatchObject({ status: 202, body: { status: "pending", pauseRequestedAt: null } });
    const later = await aRun(db).pending();
    await database.pool.query("update handrail.run set due_at = clock_timestamp() + interval '1 h' where id = $1", [
      later,
    ]);
    const woken = await ask(endpoints.wakeRun, `/v1/runs/${later}/wakeups`, { body: { reason } });
    expect(woken).toMatchObject({ status: 202, body: { status: "pending", runAt: null } });
  });

  it("plans an action, carries the plan out, and steers the operation", async () => {
    const failed = [await aRun(db).failedAt("charge-payment"), await aRun(db).failedAt("charge-payment")];
    const runIds = [...failed, await aRun(db).compensating()];
    const { body: plan } = await ask(endpoints.makePlan, "/v1/plans", {
      body: { act: "rerun", params: { fromStep: "create-order" }, selection: { runIds } },
    });
    await ask(endpoints.getPlan, `/v1/plans/${plan.id}`);
    expect((await ask(endpoints.listPlanItems, `/v1/plans/${plan.id}/items?limit=1`)).body.nextCursor).not.toBeNull();
    const execution = { body: { hash: plan.hash, reason }, headers: { "idempotency-key": "an execution" } };
    const { body: operation } = await ask(endpoints.executePlan, `/v1/plans/${plan.id}/executions`, execution);
    expect(operation).toMatchObject({ status: "running", counts: { total: 2, done: 0 }, ratePerSecond: 20, canary: 5 });
    expect((await ask(endpoints.executePlan, `/v1/plans/${plan.id}/executions`, execution)).body).toEqual(operation);
    const path = `/v1/operations/${operation.id}`;
    await ask(endpoints.pauseOperation, `${path}/pause`, { body: { reason } });
    await ask(endpoints.resumeOperation, `${path}/resumption`, { body: { reason } });
    await ask(endpoints.changeOperationRate, `${path}/rate`, { body: { ratePerSecond: 7, reason } });
    await ask(endpoints.abortOperation, `${path}/abortion`, { body: { reason } });
    expect((await ask(endpoints.getOperation, path)).body).toMatchObject({ status: "aborted", ratePerSecond: 7 });
    expect((await ask(endpoints.listOperations, "/v1/operations?limit=1")).body.operations).toHaveLength(1);
    expect((await ask(endpoints.listOperationItems, `${path}/items?list=others`)).body.items).toEqual([]);
    const destinationId = newPlanId();
    await insertDestination(db, destinationId, {
      ...{ kind: "webhook", name: "channel", url: "https://example.com/hook", addresses: null },
      ...{ events: ["plan.waiting"], workflows: null, perMinute: 10, enabled: true, createdBy: "mia" },
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    });
    const { body: preview } = await ask(endpoints.previewOperationReport, `${path}/shares`);
    expect(preview.destinations).toEqual([{ id: destinationId, name: "channel", kind: "webhook" }]);
    const sent = await ask(endpoints.sendOperationReport, `${path}/shares`, { body: { destinationId, reason } });
    expect(sent.body.sentence).toBe(preview.sentence);
  });

  it("sends events, lists what is asked, and answers it", async () => {
    const body = { name: "parcel.seen", key: "P-1", payload: { at: "Berlin" }, id: "seen-1" };
    expect(await ask(endpoints.sendEvent, "/v1/events", { body })).toMatchObject({
      body: { id: "seen-1", created: true },
    });
    expect((await ask(endpoints.sendEvent, "/v1/events", { body })).body).toEqual({ id: "seen-1", created: false });
    const runId = await aRun(db).asking("ship-it", ["yes", "no"]);
    const { body: run } = await ask(endpoints.sendRunEvent, `/v1/runs/${runId}/events`, {
      body: { name: "parcel.seen", payload: 1, reason },
    });
    expect(run).toMatchObject({
      primaryAct: "answer",
      events: [{ name: "parcel.seen", payload: 1, sentBy: "operator" }],
    });
    const { body: open } = await ask(endpoints.listApprovals, "/v1/approvals?limit=1");
    expect(open.approvals).toMatchObject([{ runId, step: "ship-it", question: "Go on?", choices: ["yes", "no"] }]);
    const path = `/v1/runs/${runId}/approvals/ship-it/answer`;
    const answer = await ask(endpoints.answerApproval, path, { body: { choice: "yes", note: "sure" } });
    expect(answer.body.audit[0]).toMatchObject({ act: "answer", reason: "sure" });
    const second = await api.ask("POST", path, { body: { choice: "no" } });
    expect(second).toMatchObject({ status: 409, body: { error: { code: "not_allowed" } } });
    expect(second.body.error.message).toBe("operator has already answered: yes.");
  });

  it("refuses a payload that does not fit what the workflow declares, and events to a run that has ended", async () => {
    const body = { name: "parcel.returned", key: "P-1", payload: { parcelId: 7 } };
    const misfit = await api.ask("POST", "/v1/events", { body });
    expect(misfit).toMatchObject({ status: 422, body: { error: { code: "invalid_input" } } });
    const runId = await aRun(db).completed();
    const late = await api.ask("POST", `/v1/runs/${runId}/events`, { body: { name: "late", payload: null } });
    expect(late).toMatchObject({ status: 409, body: { error: { code: "not_allowed" } } });
  });

  it("finds a step by whatever its name is", async () => {
    const name = "fetch page 1/2 – 100 % & more";
    const runId = await aRun(db).like({
      status: "waiting",
      attention: "outcome_unknown",
      waiting: { kind: "operator", step: name },
      steps: [{ name, status: "unknown" }],
    });
    const path = `/v1/runs/${runId}/steps/${encodeURIComponent(name)}/resolution`;
    await ask(endpoints.resolveStep, path, { body: { outcome: "skip", reason } });
  });

  it("answers for the screens", async () => {
    await aWorker(db);
    await aWorker(db, { name: "gone", leaseMs: -1000 });
    await database.pool.query(
      "insert into handrail.workflow (name, version, title) values ('order-fulfilment', 1, 'Order fulfilment')",
    );
    const { body: overview } = await ask(endpoints.getOverview, "/v1/overview");
    expect(overview).toMatchObject({ workers: { lost: 1 }, demo: false });
    expect(overview.needsPerson).not.toEqual([]);
    const { body: open } = await ask(endpoints.listCompensations, "/v1/compensations?limit=1");
    expect(open.compensations[0].compensation.status).toBe("owed");
    const { body: counts } = await ask(endpoints.countCompensations, "/v1/compensations/counts?free=true");
    expect(counts.byLane.by_hand).toBeGreaterThan(0);
    const assignees = await ask(endpoints.listAssignees, "/v1/workflows/order-fulfilment/assignees");
    expect(assignees.body).toEqual({ assignees: null });
    expect(open.nextCursor).not.toBeNull();
    const { body: workers } = await ask(endpoints.listWorkers, "/v1/workers");
    expect(workers.workers.map(({ status }: { status: string }) => status)).toContain("lost");
    expect((await ask(endpoints.getRetention, "/v1/retention")).body.workflows).toEqual([]);
    const { body: workflows } = await ask(endpoints.listWorkflows, "/v1/workflows");
    expect(workflows.workflows).toMatchObject([{ name: "order-fulfilment", title: "Order fulfilment" }]);
  });

  it("answers for probes and for programs", async () => {
    await ask(endpoints.getLiveness, "/health/live");
    expect((await ask(endpoints.getReadiness, "/health/ready")).body).toEqual({ status: "ok", problems: [] });
    const { body } = await ask(getOpenApi, "/v1/openapi.json");
    expect(body.openapi).toBe("3.1.0");
    expect((await api.send("GET", "/v1/metrics")).headers.get("content-type")).toContain("text/plain");
    answered.add(endpoints.getMetrics);
  });

  it("has no sandbox outside the demo", async () => {
    for (const method of ["GET", "PUT"] as const) {
      const asking = method === "PUT" ? { body: { mode: "down" } } : {};
      const answer = await api.ask(method, "/v1/sandbox/payments/faults", asking);
      expect(answer.status).toBe(404);
      expect(errorResponse.safeParse(answer.body).success).toBe(true);
    }
  });

  it("shows a run with its masked values, as an action", async () => {
    const runId = await aRun(db).completed();
    await ask(endpoints.unmaskRun, `/v1/runs/${runId}/unmasking`, { body: { reason } });
  });

  it("and this file covers every endpoint", () => {
    const forgotten = (Object.values(endpoints) as Endpoint[]).filter(
      (endpoint) => !answered.has(endpoint) && !ANSWERED_ELSEWHERE.includes(endpoint),
    );
    expect(forgotten.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
