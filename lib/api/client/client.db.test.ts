import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { type ApiOnADatabase, anApiOnADatabase } from "../../testing/api/api-on-a-database";
import { aRun } from "../../testing/rows/a-run";
import type { PlanRequest } from "../contract/plans";
import { runListQuery } from "../contract/requests";
import { queryFields } from "../http/request-parts";
import { queryOf } from "./address";
import { post, read } from "./browser";
import { type ApiError, newIdempotencyKey } from "./client";

let { api, db, close } = {} as ApiOnADatabase;
beforeAll(async () => {
  ({ api, db, close } = await anApiOnADatabase());
});
afterAll(() => close());
afterEach(() => vi.unstubAllGlobals());

/** The browser's fetch, with our own routes at the other end. */
function throughTheRoutes() {
  vi.stubGlobal("fetch", (path: string, { method = "GET", headers, body }: RequestInit) =>
    api.send(method, path.slice("/api".length), {
      headers: headers as Record<string, string>,
      ...(typeof body === "string" && { body }),
    }),
  );
}

const reason = "the gateway is back";
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: ApiError) => error,
  );

it("reads everything that the screens show", async () => {
  throughTheRoutes();
  const runId = await aRun(db).compensating();
  expect((await read("/v1/runs", { status: ["compensating"], tags: { orderId: "A-17" }, limit: 1 })).runs[0]?.id).toBe(
    runId,
  );
  expect((await read("/v1/runs/counts", { attention: ["compensation_owed"] })).byStatus.compensating).toBe(1);
  expect((await read("/v1/runs/{runId}", { runId })).steps).toHaveLength(3);
  expect((await read("/v1/overview", {})).openCompensations).toBe(3);
  expect((await read("/v1/compensations", { limit: 2 })).nextCursor).not.toBeNull();
  expect((await read("/v1/workers", {})).workers).toEqual([]);
  expect((await read("/v1/workflows", {})).workflows).toEqual([]);
});

const sent = <Request>(request: Request) => ({ request, idempotencyKey: newIdempotencyKey() });

/** As a dialog does it: plan the action on the run, then execute exactly that plan. */
async function carriedOut(act: Omit<PlanRequest, "selection">, runId: string) {
  const plan = await post("/v1/plans", {}, { request: { ...act, selection: { runIds: [runId] } } as PlanRequest });
  const { item } = await post("/v1/plans/{planId}/executions", { planId: plan.id }, sent({ hash: plan.hash, reason }));
  expect(item).toMatchObject({ outcome: "done" });
  return read("/v1/runs/{runId}", { runId });
}

it("carries out an operator's actions through a plan", async () => {
  throughTheRoutes();
  const input = { orderId: "A-1", amountCents: 1, email: "ada@example.com" };
  const { id } = await post("/v1/runs", {}, sent({ workflow: "order-fulfilment", input }));
  expect(await carriedOut({ act: "cancel", params: {} }, id)).toMatchObject({ status: "cancelled" });
  expect(await carriedOut({ act: "rerun", params: {} }, id)).toMatchObject({ generation: 2 });
  const completed = await aRun(db).completed();
  expect(await carriedOut({ act: "compensate", params: {} }, completed)).toMatchObject({ status: "compensating" });
  const waived = { step: "send-confirmation", outcome: "waived" } as const;
  expect(await carriedOut({ act: "mark_compensated", params: waived }, completed)).toMatchObject({ attention: null });
  const unknown = await aRun(db).waitingUnknown("charge-payment");
  expect(await carriedOut({ act: "settle", params: { outcome: "skip" } }, unknown)).toMatchObject({
    status: "pending",
  });
});

it("sends a double click as one action", async () => {
  throughTheRoutes();
  const runId = await aRun(db).failedAt("charge-payment");
  const { id, hash } = await post(
    "/v1/plans",
    {},
    {
      request: { act: "rerun", params: {}, selection: { runIds: [runId] } },
    },
  );
  const once = sent({ hash, reason });
  const execute = (planId: string, request: typeof once) => post("/v1/plans/{planId}/executions", { planId }, request);
  const [first, second] = await Promise.all([execute(id, once), execute(id, once)]);
  expect(second).toEqual(first);
});

it("throws what the server refused, with its sentence", async () => {
  throughTheRoutes();
  const runId = await aRun(db).completed();
  const plan = await post(
    "/v1/plans",
    {},
    {
      request: { act: "cancel", params: {}, selection: { runIds: [runId] } },
    },
  );
  const error = await failure(
    post("/v1/plans/{planId}/executions", { planId: plan.id }, sent({ hash: plan.hash, reason })),
  );
  expect(error).toMatchObject({
    name: "ApiError",
    code: "not_allowed",
    status: 409,
    message: "The run has ended (completed).",
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(await failure(read("/v1/sandbox/{path*}", { path: "mail" }))).toMatchObject({
    code: "not_found",
    status: 404,
  });
});

it("reports a missing answer, and one that makes no sense", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
  expect(await failure(read("/v1/overview", {}))).toMatchObject({ code: "unreachable", status: 0 });
  vi.stubGlobal("fetch", async () => new Response("<html>", { status: 502 }));
  expect(await failure(read("/v1/overview", {}))).toMatchObject({ code: "internal", status: 502 });
});

it("leaves an aborted request to its caller", async () => {
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => Promise.reject(signal?.reason));
  expect(await failure(read("/v1/overview", {}, { signal: AbortSignal.abort() }))).toMatchObject({
    name: "AbortError",
  });
});

it("writes a filter as the server reads it", () => {
  const filter = {
    status: ["failed" as const, "waiting" as const],
    workflow: ["order-fulfilment"],
    q: "A & B=ü",
    tags: { "shop.city": "Köln, Süd" },
    createdAfter: "2026-01-01T00:00:00+01:00",
    limit: 10,
  };
  const fields = queryFields(new URLSearchParams(queryOf(filter)));
  expect(runListQuery.parse(fields)).toEqual(filter);
  expect(queryOf({ status: [], q: "" })).toBe("");
});
