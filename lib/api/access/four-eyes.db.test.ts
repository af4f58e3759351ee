import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { FOUR_EYES_ACTS } from "../../engine/operations/four-eyes";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { type Db, poolDb } from "../../store/db";
import { registerWorkflows } from "../../store/workers/workers";
import { anApiWithSignIn, BOOTSTRAP } from "../../testing/api/with-sign-in";
import { snippetsOf } from "../../testing/doc-snippets";
import { aRun } from "../../testing/rows/a-run";
import { planApprovalListResponse, planApprovalSchema, planSchema } from "../contract/plans";
import * as endpoints from "../endpoints";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let db: Db;
const people = {} as Record<"ana" | "bob" | "vic", string>;
beforeAll(async () => {
  api = await anApiWithSignIn();
  db = poolDb(api.database.pool);
  const input = z.object({});
  await registerWorkflows(db, [defineWorkflow({ name: "guarded", input, fourEyes: ["rerun"] }, async () => null)]);
  for (const [name, role] of [
    ["ana", "operator"],
    ["bob", "operator"],
    ["vic", "viewer"],
  ] as const)
    people[name] = await api.person(name, "correct horse battery", { role });
});
afterAll(() => api.close());

const reason = "the gateway is back";
const as = (name: keyof typeof people, method: string, path: string, body?: object) =>
  api.withCookie(people[name], method, path, body && { body });

it("a plan is proposed by one person, approved by another, and carried out; never by one person alone or by a program", async () => {
  const runId = await aRun(db, { workflow: "guarded" }).failedAt("charge-payment");
  const alone = await as("ana", "POST", `/v1/runs/${runId}/reruns`, { reason });
  expect(alone).toMatchObject({ status: 409, body: { error: { code: "approval_required" } } });
  const { body } = await as("ana", "POST", "/v1/plans", { act: "rerun", params: {}, selection: { runIds: [runId] } });
  const { id, hash, counts } = planSchema.parse(body);
  expect(counts.secondPerson).toEqual({ runs: 1, workflows: ["guarded"] });
  const path = `/v1/plans/${id}`;
  const execute = () => as("ana", "POST", `${path}/executions`, { hash, reason });
  expect(await execute()).toMatchObject({ status: 409, body: { error: { code: "approval_required" } } });

  const request = { hash, reason };
  expect((await api.as(BOOTSTRAP, "POST", `${path}/approval`, { body: request })).body.error.message).toContain(
    "token",
  );
  const asked = await as("ana", "POST", `${path}/approval`, request);
  expect([asked.status, planApprovalSchema.parse(asked.body)]).toMatchObject([
    201,
    { status: "open", proposer: "ana" },
  ]);
  const waiting = planApprovalListResponse.parse((await as("vic", "GET", "/v1/plan-approvals")).body);
  expect(waiting.planApprovals.map(({ planId }) => planId)).toEqual([id]);
  expect((await api.as(BOOTSTRAP, "GET", "/v1/overview")).body.planApprovals).toBe(1);

  const yes = { hash, outcome: "approved", reason: "looked at it" };
  expect(await as("vic", "POST", `${path}/approval/answer`, yes)).toMatchObject({ status: 403 });
  expect((await api.as(BOOTSTRAP, "POST", `${path}/approval/answer`, { body: yes })).status).toBe(409);
  expect((await as("ana", "POST", `${path}/approval/answer`, yes)).body.error.message).toContain("someone else");
  const answered = await as("bob", "POST", `${path}/approval/answer`, yes);
  expect([answered.status, planApprovalSchema.parse(answered.body)]).toMatchObject([200, { approver: "bob" }]);
  expect(await execute()).toMatchObject({ status: 200, body: { item: { runId, outcome: "done" } } });
  expect((await api.as(BOOTSTRAP, "GET", "/v1/overview")).body.planApprovals).toBe(0);
  const { body: workflows } = await as("vic", "GET", "/v1/workflows");
  expect(workflows.workflows[0]).toMatchObject({ name: "guarded", fourEyes: ["rerun"] });
});

it("a worker in another language declares it, too", async () => {
  const registration = (fourEyes: string[]) => ({
    body: { name: "w", language: "Python", workflows: [{ name: "guarded-elsewhere", fourEyes }] },
  });
  const token = await api.mint(["worker.work"]);
  const send = (fourEyes: string[]) => api.as(token, "POST", "/v1/worker/registrations", registration(fourEyes));
  expect((await send(["wave"])).status).toBe(422);
  expect((await send(["waive"])).status).toBe(201);
  const { rows } = await api.database.pool.query(
    "select four_eyes from handrail.workflow where name like '%elsewhere'",
  );
  expect(rows).toEqual([{ four_eyes: ["waive"] }]);
});

it("docs/four-eyes.md lists every demand", () => {
  const page = readFileSync("docs/four-eyes.md", "utf8");
  expect([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, act]) => act).sort()).toEqual([...FOUR_EYES_ACTS].sort());
  expect(snippetsOf("four-eyes.md")[0]).toContain('fourEyes:["waive","rerun_with_fresh_keys"]');
  for (const [, path = "", body = ""] of page.matchAll(/\$API(\/\S+).*-d '(.+)'/g)) {
    const wanted = `/v1${path.replace("$PLAN", "{planId}")}`;
    const endpoint = Object.values(endpoints).find((candidate) => candidate.path === wanted);
    const filled = JSON.parse(
      body.replace("$HASH", "0".repeat(64)).replace("$RUN", "01890000-0000-7000-8000-000000000000"),
    );
    expect(endpoint && "body" in endpoint && endpoint.body?.safeParse(filled).success, wanted).toBe(true);
  }
});
