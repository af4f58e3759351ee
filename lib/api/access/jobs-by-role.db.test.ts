import { afterAll, beforeAll, expect, it } from "vitest";
import type { Role } from "../../engine/access/permission";
import { poolDb } from "../../store/db";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import { aRun } from "../../testing/rows/a-run";

/*
 * Every action of an operator is refused to a viewer: 403 with the sentence that the button shows, no change, and an
 * audit row for attempts on a run. A permitted request is then judged by its own rules.
 */

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
const cookies = {} as Record<Role, string>;
const runs = {} as Record<"unknown" | "undoing" | "failed" | "completed", string>;
beforeAll(async () => {
  api = await anApiWithSignIn({ HANDRAIL_DEMO: "on" });
  for (const role of ["viewer", "operator"] as const)
    cookies[role] = api.cookieOf(await api.ask("POST", "/v1/demo/session", { body: { role } }));
  const given = aRun(poolDb(api.database.pool));
  runs.unknown = await given.waitingUnknown("charge-payment");
  runs.undoing = await given.failedToCompensate();
  runs.failed = await given.failedAt("charge-payment");
  runs.completed = await given.completed();
});
afterAll(() => api.close());

const as = (role: Role, method: string, path: string, body?: object) =>
  api.withCookie(cookies[role], method, path, body === undefined ? {} : { body });
const reason = "for a test";
const note = { note: "by hand", reference: "B-1" };

const JOBS: [job: string, run: keyof typeof runs, act: string, path: string, body: object][] = [
  [
    "3: did the card get charged?",
    "unknown",
    "settle",
    "steps/charge-payment/resolution",
    { outcome: "did_not_happen" },
  ],
  ["4: a refund that failed", "undoing", "mark_compensated", "compensations/charge-payment/resolution", note],
  ["4: take one", "undoing", "assign", "compensations/charge-payment/assignment", { to: "me" }],
  [
    "5: supply a step's output",
    "failed",
    "settle",
    "steps/charge-payment/resolution",
    { outcome: "happened", output: 1 },
  ],
  ["6: rerun from an earlier step", "completed", "rerun", "reruns", { fromStep: "create-order" }],
  ["7: stop a runaway", "failed", "cancel", "cancellation", {}],
  ["14: a customer's data", "completed", "unmask", "unmasking", {}],
];

it.each(JOBS)("job %s: refused to a viewer, and not to an operator", async (_job, of, act, path, body) => {
  const runId = runs[of];
  const stood = async () =>
    (await api.database.pool.query("select status, revision, attention from handrail.run where id = $1", [runId])).rows;
  const before = await stood();
  const refused = await as("viewer", "POST", `/v1/runs/${runId}/${path}`, { ...body, reason });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
  expect(refused.body.error.message).toMatch(/^You may not .+\. (It takes the role operator|It is granted apart)/);
  expect(await stood()).toEqual(before);
  const { rows } = await api.database.pool.query(
    "select actor, actor_kind, act, result, code from handrail.audit where run_id = $1 order by id desc limit 1",
    [runId],
  );
  expect(rows).toEqual([{ actor: "viewer", actor_kind: "person", act, result: "denied", code: "forbidden" }]);
  expect((await as("operator", "POST", `/v1/runs/${runId}/${path}`, { ...body, reason })).status).not.toBe(403);
});

it("job 7, of 5,000 at once: neither the plan nor its execution is a viewer's", async () => {
  const plan = { act: "cancel", params: {}, selection: { runIds: [runs.unknown] } };
  expect((await as("viewer", "POST", "/v1/plans", plan)).status).toBe(403);
  const made = await as("operator", "POST", "/v1/plans", plan);
  expect(made.status).toBe(201);
  const execution = { hash: made.body.hash, reason };
  expect((await as("viewer", "POST", `/v1/plans/${made.body.id}/executions`, execution)).status).toBe(403);
});

it("job 12: who did what is an operator's to read", async () => {
  expect((await as("viewer", "GET", "/v1/audit")).status).toBe(403);
  expect((await as("viewer", "GET", "/v1/audit/export")).status).toBe(403);
  expect((await as("operator", "GET", "/v1/audit")).status).toBe(200);
});
