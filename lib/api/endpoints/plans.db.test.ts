import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examine } from "../../store/database/doctor";
import { deleteUnusedPlans } from "../../store/operations/plans";
import { type ApiOnADatabase, anApiOnADatabase } from "../../testing/api/api-on-a-database";
import { aRun } from "../../testing/rows/a-run";

let { api, database, db, close } = {} as ApiOnADatabase;
beforeAll(async () => {
  ({ api, database, db, close } = await anApiOnADatabase());
});
afterAll(() => close());

const plan = (body: unknown) => api.ask("POST", "/v1/plans", { body });
const rows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

describe("a plan", () => {
  it("says of each run whether it is in and why, what stays and what runs again; it changes nothing", async () => {
    const [failed, unknown] = [
      await aRun(db).failedAt("charge-payment"),
      await aRun(db).waitingUnknown("send-confirmation"),
    ];
    const before = await rows("select id, revision, xmin from handrail.run order by id");
    const { status, body } = await plan({ act: "rerun", params: {}, selection: { runIds: [failed, unknown] } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      act: "rerun",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      madeBy: "operator",
      executedAt: null,
      counts: { runs: 2, included: 1, again: [{ name: "charge-payment", count: 1 }], leftOut: [{ count: 1 }] },
      nextCursor: null,
    });
    const byRun = Object.fromEntries(body.items.map((item: { runId: string }) => [item.runId, item]));
    expect(byRun[failed]).toMatchObject({ included: true, keeps: { first: ["create-order"] } });
    expect(byRun[unknown]).toMatchObject({ included: false, because: expect.stringContaining("unknown outcome") });
    expect(await rows("select id, revision, xmin from handrail.run order by id")).toEqual(before);
    expect(await rows("select 1 from handrail.audit")).toEqual([]);
    expect(await api.ask("GET", `/v1/plans/${body.id}`)).toMatchObject({ status: 200, body });
  });

  it("has a hash that nobody can compute from its items", async () => {
    const run = await aRun(db).failedAt("charge-payment");
    const hash = async () =>
      (await plan({ act: "rerun", params: {}, selection: { runIds: [run] } })).body.hash as string;
    const first = await hash();
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await hash()).not.toBe(first);
  });

  it("by a filter has every run that matches, in pages that neither repeat nor skip", async () => {
    const workflow = "many-of-these";
    const runs: string[] = [];
    for (let index = 0; index < 530; index++) runs.push(await aRun(db, { workflow }).failedAt("charge-payment"));
    await aRun(db, { workflow }).completed();
    const filter = { workflow: [workflow] };
    const { body } = await plan({ act: "rerun", params: { fromStep: "create-order" }, selection: { filter } });
    expect(body.counts).toMatchObject({ runs: 531, included: 531 });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: string = `/v1/plans/${body.id}/items?limit=200${cursor ? `&cursor=${cursor}` : ""}`;
      const answer = (await api.ask("GET", page)).body;
      seen.push(...answer.items.map((item: { runId: string }) => item.runId));
      cursor = answer.nextCursor;
    } while (cursor);
    expect(seen).toHaveLength(531);
    expect(new Set(seen).size).toBe(531);
    expect(seen).toEqual(expect.arrayContaining(runs));
  });

  it("lists what is left out alone", async () => {
    const [failed, done] = [await aRun(db).failedAt("charge-payment"), await aRun(db).completed()];
    const { body } = await plan({ act: "cancel", params: {}, selection: { runIds: [failed, done] } });
    expect(body.counts).toMatchObject({ included: 0, leftOut: [{ count: 1 }, { count: 1 }] });
    const list = (which: string) => api.ask("GET", `/v1/plans/${body.id}/items?list=${which}`);
    expect((await list("left_out")).body.items).toHaveLength(2);
    expect((await list("included")).body.items).toEqual([]);
  });
});

describe("refuses", () => {
  const runIds = ["01900000-0000-7000-8000-00000000dead"];
  it.each([
    ["a run that is not there", { act: "cancel", params: {}, selection: { runIds } }, 404, "unknown_run"],
    ["an act that is not planned", { act: "destroy", params: {}, selection: { runIds } }, 422, "invalid_input"],
    [
      "what the action does not take",
      { act: "cancel", params: { fromStep: "a" }, selection: { runIds } },
      422,
      "invalid_input",
    ],
    ["no runs", { act: "cancel", params: {}, selection: { runIds: [] } }, 422, "invalid_input"],
    ["both kinds of selection", { act: "cancel", params: {}, selection: { runIds, filter: {} } }, 422, "invalid_input"],
  ])("%s", async (_, body, status, code) => {
    expect(await plan(body)).toMatchObject({ status, body: { error: { code } } });
  });

  it("a plan that is not there, is not whole, or is past its time", async () => {
    const { body } = await plan({
      act: "rerun",
      params: {},
      selection: { runIds: [await aRun(db).failedAt("charge-payment")] },
    });
    await database.pool.query("update handrail.plan set expires_at = clock_timestamp() where id = $1", [body.id]);
    for (const id of [body.id, runIds[0]])
      expect(await api.ask("GET", `/v1/plans/${id}`)).toMatchObject({
        status: 404,
        body: { error: { code: "unknown_plan" } },
      });
  });
});

it("the commands of the page make a plan, carry it out, and steer the operation", async () => {
  await aRun(db, { workflow: "order-fulfilment" }).failedAt("charge-payment");
  const page = readFileSync("docs/console/plans-and-operations.md", "utf8");
  const commands = [...page.matchAll(/\$API(\S+) .*-d '(.+)'/g)];
  expect(commands).toHaveLength(6);
  const known: Record<string, string> = {};
  const filled = (text: string) => text.replaceAll(/\$(PLAN|HASH|OPERATION)/g, (_, name: string) => known[name] ?? "");
  const statuses: number[] = [];
  for (const [, path = "", body = ""] of commands) {
    const answer = await api.ask("POST", `/v1${filled(path)}`, { body: filled(body) });
    statuses.push(answer.status);
    if (answer.body.hash) Object.assign(known, { PLAN: answer.body.id, HASH: answer.body.hash });
    else known.OPERATION = answer.body.id;
  }
  expect(statuses).toEqual([201, 202, 202, 202, 202, 202]);
  expect(await api.ask("GET", `/v1/operations/${known.OPERATION}`)).toMatchObject({
    status: 200,
    body: { status: "aborted", ratePerSecond: 5, canary: 5, counts: { done: 0 }, startedBy: "operator" },
  });
  const { body } = await api.ask("GET", "/v1/operations");
  expect(body.operations).toMatchObject([{ id: known.OPERATION }]);
  const acts = await rows("select act from handrail.audit where plan_id = $1 or act like '%_operation%' order by id", [
    known.PLAN,
  ]);
  expect(acts.map(({ act }) => act)).toEqual([
    "execute_plan",
    "change_operation_rate",
    "pause_operation",
    "resume_operation",
    "abort_operation",
  ]);
});

it("10,000 runs are planned in bounded time, 250 in memory at once", async () => {
  await rows(`
    insert into handrail.run (id, workflow, version, input, status, attention, finished_at, error, started_at)
    select gen_random_uuid(), 'ten-thousand', 1, '{}', 'failed', 'failed', clock_timestamp(), '{"name":"Error","message":"x"}', clock_timestamp()
    from generate_series(1, 10000)`);
  const began = performance.now();
  const { body } = await plan({ act: "rerun", params: {}, selection: { filter: { workflow: ["ten-thousand"] } } });
  expect(body.counts).toMatchObject({ runs: 10_000, included: 10_000, goOn: 10_000 });
  expect(body.items).toHaveLength(50);
  expect(performance.now() - began).toBeLessThan(60_000);
});

it("an unused plan is deleted with its items, in batches, and nothing is left behind", async () => {
  await database.pool.query("update handrail.plan set expires_at = clock_timestamp()");
  const [before] = await rows("select count(*)::int as items from handrail.plan_item");
  expect(before.items).toBeGreaterThan(500);
  let rounds = 0;
  while ((await deleteUnusedPlans(db, 1_000)) > 0) rounds++;
  expect(rounds).toBeGreaterThan(5);
  const left = "select id from handrail.plan union all select plan_id from handrail.plan_item";
  const used = await rows("select distinct plan_id as id from handrail.operation");
  expect(new Set((await rows(left)).map(({ id }) => id))).toEqual(new Set(used.map(({ id }) => id)));
});

it("the doctor finds no fault with what was made", async () => {
  const hits = (await examine(db)).filter(({ rule, hits }) => /item|plan/i.test(rule.name) && hits.length > 0);
  expect(hits).toEqual([]);
});
