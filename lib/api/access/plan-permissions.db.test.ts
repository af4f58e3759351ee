import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { poolDb } from "../../store/db";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import { aRun } from "../../testing/rows/a-run";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let own: string;
let all: string;
beforeAll(async () => {
  api = await anApiWithSignIn();
  own = await api.mint(["operator"], { workflows: ["order-fulfilment"] });
  all = await api.mint(["operator"]);
});
afterAll(() => api.close());

const failedOf = (workflow: string) => aRun(poolDb(api.database.pool), { workflow }).failedBetweenSteps();
const rerunOf = (selection: object) => ({ body: { act: "rerun", params: {}, selection } });
const plan = (token: string, selection: object) => api.as(token, "POST", "/v1/plans", rerunOf(selection));
const execute = (token: string, { id, hash }: { id: string; hash: string }) =>
  api.as(token, "POST", `/v1/plans/${id}/executions`, { body: { hash, reason: "mine" } });
const REFUSED = { status: 403, body: { error: { code: "forbidden" } } };

describe("a caller bound to a workflow", () => {
  it("plans and carries out on its runs, and on no others", async () => {
    const [mine, foreign] = [await failedOf("order-fulfilment"), await failedOf("user-sync")];
    expect(await plan(own, { runIds: [mine, foreign] })).toMatchObject(REFUSED);
    expect(await plan(own, { filter: { workflow: ["user-sync"] } })).toMatchObject(REFUSED);
    const { status, body } = await plan(own, { runIds: [mine] });
    expect([status, body.workflows]).toEqual([201, ["order-fulfilment"]]);
    expect((await execute(own, body)).body.item).toMatchObject({ runId: mine, outcome: "done" });
    const { body: both } = await plan(all, { runIds: [mine, foreign] });
    expect(await execute(own, both)).toMatchObject(REFUSED);
    const { rows } = await api.database.pool.query(
      "select act, workflow, result from handrail.audit where code = 'forbidden' order by id",
    );
    const denied = { workflow: "handrail.operation", result: "denied" };
    expect(rows).toEqual([
      { act: "make", ...denied },
      { act: "make", ...denied },
      { act: "execute", ...denied },
    ]);
  });

  it("finds by a filter that workflow's runs alone", async () => {
    await failedOf("user-sync");
    const { body } = await plan(own, { filter: { status: ["failed"] } });
    expect(body.workflows).toEqual(["order-fulfilment"].slice(0, body.counts.runs));
    const { body: whole } = await plan(all, { filter: { status: ["failed"] } });
    expect(whole.counts.runs).toBeGreaterThan(body.counts.runs);
  });

  it("reads and steers operations on these, and sees no others", async () => {
    const two = async (workflow: string) => {
      const { body } = await plan(all, { runIds: [await failedOf(workflow), await failedOf(workflow)] });
      return { planId: body.id, ...(await execute(all, body)).body };
    };
    const [mine, foreign] = [await two("order-fulfilment"), await two("user-sync")];
    const ids = async (token: string, query = "") =>
      (await api.as(token, "GET", `/v1/operations${query}`)).body.operations.map(({ id }: { id: string }) => id);
    expect(await ids(own)).toContain(mine.id);
    expect(await ids(own)).not.toContain(foreign.id);
    expect(await ids(all)).toEqual(expect.arrayContaining([mine.id, foreign.id]));
    expect(await ids(all, "?workflow=user-sync")).toEqual([foreign.id]);
    const pause = { body: { reason: "wait" } };
    for (const [method, path, asking] of [
      ["GET", `/v1/plans/${foreign.planId}`, {}],
      ["GET", `/v1/plans/${foreign.planId}/items`, {}],
      ["GET", `/v1/operations/${foreign.id}`, {}],
      ["GET", `/v1/operations/${foreign.id}/items`, {}],
      ["GET", `/v1/operations/${foreign.id}/report`, {}],
      ["GET", "/v1/operations?workflow=user-sync", {}],
      ["POST", `/v1/operations/${foreign.id}/pause`, pause],
    ] as const)
      expect(await api.as(own, method, path, asking), `${method} ${path}`).toMatchObject({ status: 403 });
    expect((await api.as(own, "GET", `/v1/plans/${mine.planId}/items`)).status).toBe(200);
    expect((await api.as(own, "GET", `/v1/operations/${mine.id}/items`)).status).toBe(200);
    expect((await api.as(own, "POST", `/v1/operations/${mine.id}/pause`, pause)).status).toBe(202);
  });
});

it("a plan requires the permission for its action, when it is made and when it is carried out", async () => {
  const planner = await api.mint(["plan.make", "plan.execute", "run.read", "run.pause"]);
  const runIds = [await failedOf("order-fulfilment")];
  const refused = await plan(planner, { runIds });
  expect(refused).toMatchObject(REFUSED);
  expect(refused.body.error.message).toBe("You may not rerun runs. It takes the role operator.");
  const { body } = await plan(all, { runIds });
  expect(await execute(planner, body)).toMatchObject(REFUSED);
  const paused = { body: { act: "pause", params: {}, selection: { runIds } } };
  expect((await api.as(planner, "POST", "/v1/plans", paused)).status).toBe(201);
});

it("a caller who may not plan, carry out, approve or steer leaves a row in the audit, also where no run is named", async () => {
  const viewer = await api.mint(["viewer"]);
  const planner = await api.mint(["plan.make", "plan.execute", "run.read"]);
  const runIds = [await failedOf("order-fulfilment"), await failedOf("order-fulfilment")];
  const { body: made } = await plan(all, { runIds });
  const { body: operation } = await execute(all, made);
  const { body: other } = await plan(all, { runIds });
  const written = async () =>
    (await api.database.pool.query("select act, actor, result, code, workflow, run_id from handrail.audit order by id"))
      .rows;
  const before = (await written()).length;
  const why = { body: { reason: "wait" } };
  const at = (path: string) => `/v1/operations/${operation.id}/${path}`;
  expect(await plan(viewer, { runIds })).toMatchObject(REFUSED);
  expect(await plan(viewer, { filter: { status: ["failed"] } })).toMatchObject(REFUSED);
  expect(await plan(planner, { runIds })).toMatchObject(REFUSED);
  expect(await execute(viewer, other)).toMatchObject(REFUSED);
  expect(await execute(planner, other)).toMatchObject(REFUSED);
  for (const path of ["pause", "resumption", "abortion"])
    expect(await api.as(viewer, "POST", at(path), why)).toMatchObject(REFUSED);
  const rate = { body: { ratePerSecond: 5, reason: "slow" } };
  expect(await api.as(viewer, "POST", at("rate"), rate)).toMatchObject(REFUSED);
  const rows = (await written()).slice(before);
  const denied = { result: "denied", code: "forbidden", workflow: "handrail.operation", run_id: null };
  expect(rows).toEqual(
    ["make", "make", "rerun", "execute", "rerun", "control", "control", "control", "control"].map((act) =>
      expect.objectContaining({ act, ...denied }),
    ),
  );
  // A missing item is no target, and a read is no action.
  const nothing = "01890000-0000-7000-8000-000000000000";
  await api.as(viewer, "POST", `/v1/operations/${nothing}/pause`, why);
  await api.as(await api.mint(["run.read"]), "GET", `/v1/operations/${operation.id}`);
  expect(await written()).toHaveLength(before + rows.length + 1);
});
