import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Attention, RunStatus } from "../../engine/runs/run";
import { type Db, poolDb } from "../../store/db";
import { descendantsStatement } from "../../store/reads/descendants";
import { detailStatement } from "../../store/reads/run-detail";
import { newRunId } from "../../store/run-id";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { readChildren } from "./read-children";
import { readRun } from "./reads";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
});
afterAll(() => database.drop());

const rows = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await database.pool.query(text, values)).rows as Row[];

interface Given {
  parent?: string;
  status?: RunStatus;
  attention?: Attention;
  /** Whether its parent waits for it. */
  awaited?: boolean;
  failedStep?: string;
}

/**
 * A run as rows, with the step of its parent that started it. A run that is neither failed nor paused waits for a
 * child.
 */
async function aRun({ parent, status = "waiting", attention, awaited = true, failedStep }: Given): Promise<string> {
  const id = newRunId();
  const step = `start-${id.slice(-6)}`;
  await rows(
    `insert into handrail.run (id, workflow, version, status, attention, error, failed_step, input, parent_run_id,
      parent_step, parent_key_generation, waiting_kind, waiting_since, finished_at, pause_requested_at)
    values ($1, 'tree', 1, $2, $3, case when $2 = 'failed' then '{"name":"Error","message":"declined"}' end, $4, '{}', $5, $6,
      case when $5::uuid is not null then 1 end, case when $2 = 'waiting' then case when $3::text is null then 'child' else 'operator' end end,
      case when $2 = 'waiting' then now() end,
      case when $2 in ('failed', 'completed', 'cancelled') then now() end, case when $2 = 'paused' then now() end)`,
    [id, status, attention ?? null, failedStep ?? null, parent ?? null, parent ? step : null],
  );
  if (parent)
    await rows(
      `insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt,
        max_attempts, key_generation, reference, output, started_at, finished_at)
      select $1, $2, 1, 'child', 'idempotent', $3, count(*) + 1, case when $3 = 'completed' then count(*) + 1 end, 1, 1, 1, $4,
        case when $3 = 'completed' then 'null' end, now(), case when $3 = 'completed' then now() end
      from handrail.step where run_id = $1`,
      [parent, step, awaited ? "waiting" : "completed", id],
    );
  return id;
}

/** Each waits for the next one; returns their ids, the root first. */
async function aChain(length: number, last: Given): Promise<string[]> {
  const ids: string[] = [];
  for (let level = 1; level <= length; level++) {
    const parent = ids.at(-1);
    ids.push(await aRun({ ...(parent && { parent }), ...(level === length && last) }));
  }
  return ids;
}

describe("the way to the root cause", () => {
  it("leads through any depth of waiting to the run that failed, and back up to the root", async () => {
    const ids = await aChain(6, { status: "failed", attention: "failed", failedStep: "charge" });
    const [root, second, , , , leaf] = ids as [string, string, string, string, string, string];
    expect((await readRun(db, root)).rootCause).toMatchObject({
      runId: leaf,
      status: "failed",
      failedStep: "charge",
      error: { message: "declined" },
      way: ids.slice(1).map((runId) => ({ runId })),
    });
    expect((await readRun(db, second)).rootCause?.way).toHaveLength(4);
    const { ancestors, rootCause } = await readRun(db, leaf);
    expect(ancestors.map(({ runId }) => runId)).toEqual(ids.slice(0, -1));
    expect(ancestors[0]).toMatchObject({ parentRunId: null, parentStep: null, status: "waiting" });
    expect(rootCause).toBeNull();
  });

  it.each<[string, Given]>([
    ["has an unknown outcome", { status: "waiting", attention: "outcome_unknown" }],
    ["asks a person", { status: "waiting", attention: "approval" }],
    ["is paused", { status: "paused" }],
  ])("leads to one that %s", async (_, last) => {
    const [root, , , leaf] = (await aChain(4, last)) as [string, string, string, string];
    expect((await readRun(db, root)).rootCause).toMatchObject({
      runId: leaf,
      status: last.status,
      attention: last.attention ?? null,
    });
  });

  it("names what failed before what is stuck, and of that the deepest", async () => {
    const root = await aRun({});
    await aRun({ parent: root, status: "paused" });
    const near = await aRun({ parent: root, status: "failed", attention: "failed" });
    expect((await readRun(db, root)).rootCause).toMatchObject({ runId: near });
    const branch = await aRun({ parent: root });
    const deep = await aRun({ parent: branch, status: "failed", attention: "failed" });
    expect((await readRun(db, root)).rootCause).toMatchObject({ runId: deep });
  });

  it("is not led by a child that no step waits for, nor for a run that has completed", async () => {
    const root = await aRun({});
    await aRun({ parent: root });
    await aRun({ parent: root, status: "failed", attention: "failed", awaited: false });
    const done = await aRun({ status: "completed" });
    await aRun({ parent: done, status: "failed", attention: "failed", awaited: false });
    expect(await readRun(db, root)).toMatchObject({ rootCause: null, rootCauseCapped: false });
    expect((await readRun(db, done)).rootCause).toBeNull();
  });

  it("ends where the tree is deeper than the limit, and says so", async () => {
    const ids = await aChain(53, { status: "failed", attention: "failed" });
    expect(await readRun(db, ids[0] as string)).toMatchObject({ rootCause: null, rootCauseCapped: true });
    expect((await readRun(db, ids[3] as string)).rootCause).toMatchObject({ runId: ids.at(-1) });
    const { ancestors } = await readRun(db, ids.at(-1) as string);
    expect(ancestors).toHaveLength(50);
    expect(ancestors[0]?.parentRunId).toBe(ids[1]);
    expect((await readChildren(db, ids[0] as string, {})).descendants).toMatchObject({
      total: 50,
      capped: true,
    });
  });
});

describe("what is below", () => {
  it("is counted for the run and for each of its children, all levels together", async () => {
    const root = await aRun({});
    const left = await aRun({ parent: root });
    const right = await aRun({ parent: root, status: "completed" });
    const leaf = await aRun({ parent: left, status: "failed", attention: "failed" });
    await aRun({ parent: leaf, status: "completed" });
    const { runs, descendants } = await readChildren(db, root, {});
    expect(descendants).toMatchObject({ byStatus: { waiting: 1, completed: 2, failed: 1 }, total: 4, capped: false });
    expect(runs.map(({ id, descendants: { total, byStatus } }) => [id, total, byStatus.failed])).toEqual([
      [right, 0, 0],
      [left, 2, 1],
    ]);
  });
});

describe("among 10,000 children", () => {
  let root: string;
  let leaf: string;
  let children: string[];
  beforeAll(async () => {
    root = await aRun({});
    await rows(
      `with child as (
        insert into handrail.run (id, workflow, version, status, input, parent_run_id, parent_step, parent_key_generation, waiting_kind, waiting_since)
        select handrail.new_id(), 'tree', 1, 'waiting', '{}', $1, 'n-' || n, 1, 'child', now() from generate_series(1, 10000) as n
        returning id, parent_step
      )
      insert into handrail.step (run_id, name, generation, kind, effect, status, position, attempt, max_attempts, key_generation, reference, started_at)
      select $1, parent_step, 1, 'child', 'idempotent', 'waiting', row_number() over (), 1, 1, 1, id::text, now() from child`,
      [root],
    );
    // Unrelated runs with a step each, so that a full scan is never the cheaper plan.
    await rows(
      `with other as (
        insert into handrail.run (id, workflow, version, input, status, finished_at)
        select handrail.new_id(), 'other', 1, '{}', 'completed', now() from generate_series(1, 20000)
        returning id
      )
      insert into handrail.step (run_id, name, generation, kind, effect, status, position, attempt, max_attempts, key_generation, started_at, finished_at, finished_position)
      select id, name, 1, 'step', 'pure', 'completed', place, 1, 1, 1, now(), now(), place
      from other cross join (values ('a', 1), ('b', 2), ('c', 3)) as made (name, place)`,
    );
    const [last] = await rows<{ id: string }>(
      "select id from handrail.run where parent_run_id = $1 order by id desc limit 1 offset 5000",
      [root],
    );
    leaf = await aRun({ parent: last?.id as string, status: "failed", attention: "failed" });
    const page = await rows<{ id: string }>(
      "select id::text from handrail.run where parent_run_id = $1 order by id desc limit 50",
      [root],
    );
    children = page.map(({ id }) => id);
    for (const table of ["run", "step"]) await rows(`analyze handrail.${table}`);
  });

  it("the one whose child failed is found, and what is counted is bounded", async () => {
    const { rootCause, children } = await readRun(db, root);
    expect(rootCause).toMatchObject({ runId: leaf, way: [{}, { runId: leaf }] });
    expect(children).toMatchObject({ total: 10_000, capped: false });
    const page = await readChildren(db, root, { limit: 50 });
    expect(page.descendants).toMatchObject({ total: 10_000, capped: true });
    const next = await readChildren(db, root, { limit: 50, cursor: page.nextCursor as string });
    expect(next).toMatchObject({ descendants: null, runs: { length: 50 } });
    expect(next.runs[0]?.descendants).toMatchObject({ total: 0, capped: false });
  });

  it.each<[string, string, () => unknown[]]>([
    ["the run's page", detailStatement.text, () => [root, 5_000, 200, 10_000, 200]],
    ["the run's page of a leaf", detailStatement.text, () => [leaf, 5_000, 200, 10_000, 200]],
    ["what is below", descendantsStatement.text, () => [[root], 10_000]],
    ["what is below each of a page", descendantsStatement.text, () => [children, 500]],
  ])("%s is read through indexes, with these values as with any", async (_, text, values) => {
    const plans = [
      await rows<{ "QUERY PLAN": string }>(`explain ${text}`, values()),
      await rows<{ "QUERY PLAN": string }>(`explain (generic_plan) ${text}`),
    ];
    for (const lines of plans) {
      const plan = lines.map((line) => line["QUERY PLAN"]).join("\n");
      expect(plan).toContain("run_children");
      expect(plan).not.toMatch(/Seq Scan on (run|step|event|audit|attempt)\b/);
    }
  });
});
