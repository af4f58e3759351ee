import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workflows } from "../../../demo/workflows/index";
import { search } from "../../operator/search";
import { type Db, poolDb } from "../../store/db";
import { registerWorkflows } from "../../store/workers/workers";
import { anApiWithSignIn, bearer } from "../../testing/api/with-sign-in";
import { aRun } from "../../testing/rows/a-run";
import { CANARY, plantCanaries } from "../../testing/scenes/canary-scene";
import { foldAll } from "../../worker/duties/problem-loop";
import type { SearchResponse } from "../contract/search";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let db: Db;
let runId: string;
let tokens: Record<"viewer" | "operator" | "reader" | "bound" | "runsOnly", string>;

beforeAll(async () => {
  api = await anApiWithSignIn();
  db = poolDb(api.database.pool);
  const identity = { workflow: "plain-order", idempotencyKey: "order:F-17", tags: { order: "F-17" } };
  runId = await aRun(db, identity).failedAt("charge-payment");
  await aRun(db, { workflow: "user-sync", tags: { order: "F-17" } }).completed();
  await registerWorkflows(db, workflows); // masked keys are not searchable without the permission
  await plantCanaries(db, (text, values) => api.database.pool.query(text, values));
  await foldAll(db, () => false);
  tokens = {
    viewer: await api.mint(["viewer"]),
    operator: await api.mint(["operator"]),
    reader: await api.mint(["operator", "payload.read"]),
    bound: await api.mint(["operator"], { workflows: ["user-sync"] }),
    runsOnly: await api.mint(["run.read"]),
  };
});
afterAll(() => api.close());

async function find(q: string, token = tokens.operator): Promise<SearchResponse> {
  const { status, body } = await api.as(token, "GET", `/v1/search?q=${encodeURIComponent(q)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const idsOf = ({ runs }: SearchResponse) => runs.map((run) => run.runId);

describe("what is searched", () => {
  it("finds a run by its id, the beginning of it, its key and the value of a tag", async () => {
    for (const q of [runId, runId.slice(0, 13), runId.toUpperCase(), "order:F-17", " order:F-17 "])
      expect(idsOf(await find(q)), q).toContain(runId);
    const byTag = await find("F-17");
    expect(byTag.runs.map(({ workflow }) => workflow).sort()).toEqual(["plain-order", "user-sync"]);
    expect(byTag.moreRuns).toBe(false);
  });

  it("finds a problem by its error, step and id, and counts its runs", async () => {
    const [problem] = (await find("ECONNREFUSED")).problems;
    expect(problem).toMatchObject({
      workflow: "plain-order",
      step: "charge-payment",
      status: "open",
      openRuns: 1,
    });
    expect((await find(problem?.id ?? "")).problems.map(({ id }) => id)).toEqual([problem?.id]);
  });

  it("finds an operation by its own id and by its plan's", async () => {
    const plan = { act: "rerun", params: {}, selection: { runIds: [runId] } };
    const { body } = await api.as(tokens.operator, "POST", "/v1/plans", { body: plan });
    const execution = { body: { hash: body.hash, reason: "a test" } };
    const { body: done } = await api.as(tokens.operator, "POST", `/v1/plans/${body.id}/executions`, execution);
    for (const q of [done.id, body.id])
      expect((await find(q)).operations).toEqual([{ id: done.id, act: "rerun", status: "completed", runs: 1 }]);
  });

  it("finds workflows and schedules by a part of their names, and people by theirs", async () => {
    expect((await find("GUARD")).workflows).toEqual([{ name: "guarded", title: "guarded" }]);
    expect((await find("guarded-d")).schedules).toMatchObject([{ name: "guarded-daily", workflow: "guarded" }]);
    expect((await find("operator")).people).toContainEqual({ name: "operator token" });
  });

  it("refuses nothing, and too much", async () => {
    for (const q of ["", "%20%20", "x".repeat(256)])
      expect((await api.as(tokens.operator, "GET", `/v1/search?q=${q}`)).status).toBe(400);
  });
});

describe("a bound caller's search", () => {
  it("finds the caller's workflows alone", async () => {
    expect((await find("F-17", tokens.bound)).runs.map(({ workflow }) => workflow)).toEqual(["user-sync"]);
    expect(idsOf(await find(runId, tokens.bound))).toEqual([]);
    const found = await find("guarded", tokens.bound);
    expect([found.workflows, found.schedules, found.problems]).toEqual([[], [], []]);
    expect((await find("ECONNREFUSED", tokens.bound)).problems).toEqual([]);
    expect((await find("operator", tokens.bound)).people).toEqual([]);
  });

  it("finds no kind that the caller may not see", async () => {
    expect((await find("operator", tokens.viewer)).people).toEqual([]);
    expect(await find("guarded", tokens.runsOnly)).toMatchObject({ workflows: [], schedules: [], problems: [] });
    expect(idsOf(await find(runId, tokens.runsOnly))).toEqual([runId]);
    const refused = await api.send("GET", "/v1/search?q=x", { headers: bearer(await api.mint(["audit.read"])) });
    expect(refused.status).toBe(403);
  });

  it("finds by a masked value only for callers who may see it, and does not show it to them either", async () => {
    const email = "ada-of-the-test@shop.example";
    const input = { orderId: "F-18", amountCents: 4_900, email };
    const start = { workflow: "order-fulfilment", input, tags: { customer: email }, idempotencyKey: email };
    const { status, body } = await api.as(tokens.operator, "POST", "/v1/runs", { body: start });
    expect(status).toBe(201);
    expect(idsOf(await find(email))).toEqual([]);
    const found = await find(email, tokens.reader);
    expect(idsOf(found)).toEqual([body.id]);
    expect(JSON.stringify(found)).not.toContain(email);
    expect(JSON.stringify(await find(CANARY, tokens.reader))).not.toContain(CANARY);
    expect((await find(`Error of ${CANARY}`)).problems).toEqual([]);
  });
});

describe("at volume", () => {
  beforeAll(async () => {
    const { pool } = api.database;
    await pool.query(`
      insert into handrail.run (id, workflow, version, input, tags, idempotency_key, status, created_at, started_at, finished_at)
      select handrail.new_id(), 'bulk', 1, '{}', jsonb_build_object('n', 'bulk-' || n), 'bulk:' || n, 'completed', now(), now(), now()
      from generate_series(1, 20000) as n`);
    await pool.query(`insert into handrail.run_tag (run_id, name, value)
      select id, 'n', tags ->> 'n' from handrail.run where workflow = 'bulk'`);
    await pool.query(`
      insert into handrail.audit (actor, act, reason, "before", "after", seq, key_id, hash, prev_hash)
      select 'person-' || (n % 9), 'rerun', 'bulk', '{}', '{}', 1000000 + n, 'bulk', sha256(''), sha256('')
      from generate_series(1, 20000) as n`);
    await pool.query("analyze");
  });

  it.each([
    ["a tag", () => "bulk-77"],
    ["a key", () => "bulk:77"],
    ["a person", () => "person-3"],
    ["an id", () => runId],
    ["the beginning of an id", () => runId.slice(0, 8)],
    ["what there is not", () => "nobody-has-this"],
  ])("%s is looked for through indexes alone in the tables that grow", async (_, given) => {
    const q = given();
    const plans: string[] = [];
    const explaining: Db = {
      ...db,
      query: async (statement, values) => {
        const { rows } = await api.database.pool.query({ text: `explain ${statement.text}`, values: [...values] });
        plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
        return db.query(statement, values);
      },
    };
    const found = await search(explaining, { q });
    expect(found).toBeDefined();
    expect(plans.join("\n")).not.toMatch(/Seq Scan on (run|run_tag|audit)\b/);
  });
});
