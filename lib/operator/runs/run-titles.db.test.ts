import { describe, expect, it } from "vitest";
import { z } from "zod";
import { prepareStarts } from "../../engine/runs/start";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { keepRunTitle } from "../../store/runs/keep-run-title";
import { insertRunsOnce } from "../../store/runs/start-many";
import { aDesk } from "../../testing/desk";
import { anEngine } from "../../testing/workers/engine";
import { readAudit } from "../audit/read-audit";
import { executePlan } from "../operations/execute-plan";
import { exportOperation } from "../operations/export-operation";
import { makePlan } from "../operations/make-plan";
import { readOperationItems } from "../operations/operation-view";
import { readPlan } from "../operations/plan-view";
import { readRun, readRuns } from "./reads";

const engine = anEngine();

const input = z.object({ orderId: z.string() });
const order = defineWorkflow(
  { name: "titled-order", input, runTitle: ({ orderId }) => `Order ${orderId}`, on: "order.placed" },
  async (_, { orderId }) => orderId,
);
const parent = defineWorkflow({ name: "untitled-parent", input }, (ctx, given) => ctx.child("order", order, given));

const titleOf = async (runId: string) => (await readRun(engine.db, runId)).runTitle;
const bySql = async (sql: string) => (await engine.rows<{ id: string }>(sql))[0]?.id as string;

describe("the title of a run", () => {
  it("is stored wherever it is started", async () => {
    const id = await engine.start(order, { orderId: "A-1" });
    expect(await titleOf(id)).toBe("Order A-1");
    const keyed = await engine.start(order, { orderId: "A-2" }, { idempotencyKey: "titled-2" });
    expect(await titleOf(keyed)).toBe("Order A-2");
    const starts = await prepareStarts(order, [
      { input: { orderId: "A-3" } },
      { input: { orderId: "A-4" }, options: { idempotencyKey: "titled-4" } },
    ]);
    const many = await insertRunsOnce(engine.db, starts);
    expect(await Promise.all(many.map((run) => titleOf(run.id)))).toEqual(["Order A-3", "Order A-4"]);
  });

  it("finds the run, whole or by its beginning, in any case, and for callers who see no masked values", async () => {
    const id = await engine.start(order, { orderId: "Ä-9%" });
    const found = async (q: string) => (await readRuns(engine.db, { q, blind: true })).runs.map((run) => run.id);
    expect(await found("Order Ä-9%")).toEqual([id]);
    expect(await found("oRDER ä-")).toEqual([id]);
    for (const none of ["order ä-%", "rder ä-9%", "order ä-9%!", "Or"]) expect(await found(none)).toEqual([]);
  });

  it("of a debounced start is that of the last one", async () => {
    const debounce = { key: "titled", delayMs: 60_000 };
    const first = await engine.start(order, { orderId: "B-1" }, { debounce });
    expect(await engine.start(order, { orderId: "B-2" }, { debounce })).toBe(first);
    expect(await titleOf(first)).toBe("Order B-2");
  });

  it("of a child, and of what SQL and events start, comes from its code", async () => {
    const id = await engine.start(parent, { orderId: "C-1" });
    await engine.worker([parent, order]);
    await engine.untilEnded(id);
    expect((await readRuns(engine.db, { q: "Order C-1" })).runs).toHaveLength(1);
    const [child] = (await readRuns(engine.db, { workflow: [order.name], limit: 1 })).runs;
    expect(child?.runTitle).toBe("Order C-1");
    expect((await readRun(engine.db, child?.id as string)).ancestors[0]?.named).toEqual({
      runTitle: null,
      tags: {},
      idempotencyKey: null,
    });
    const started = await bySql(`select handrail.start_run('titled-order', '{"orderId": "C-2"}')::text as id`);
    await engine.untilEnded(started);
    expect(await titleOf(started)).toBe("Order C-2");
    await engine.rows(`select handrail.send_event('order.placed', '{"orderId": "C-3"}')`);
    const [event] = await engine.rows<{ id: string }>(
      "select id::text from handrail.run where begun_by_event = 'order.placed'",
    );
    await engine.untilEnded(event?.id as string);
    expect(await titleOf(event?.id as string)).toBe("Order C-3");
    // An input that its code refuses fails the run as before.
    const wrong = await bySql(`select handrail.start_run('titled-order', '{"orderId": 4}')::text as id`);
    await engine.untilEnded(wrong);
    expect((await readRun(engine.db, wrong)).error?.code).toBe("invalid_input");
  });

  it("is written by the owner of the run alone, once", async () => {
    const id = await engine.start(parent, { orderId: "D-1" }, { delayMs: 60_000 });
    await keepRunTitle(engine.db, id, 0, "of nobody");
    expect(await titleOf(id)).toBeNull();
  });

  it("is what plans, their items and the audit log call it", async () => {
    const id = await engine.start(order, { orderId: "F-1" }, { delayMs: 60_000, tags: { region: "eu" } });
    const named = { runTitle: "Order F-1", tags: { region: "eu" }, idempotencyKey: null };
    const desk = aDesk(engine.db);
    const { id: planId, hash } = await makePlan(desk, { act: "cancel", params: {} }, { runIds: [id] });
    expect((await readPlan(engine.db, planId)).items).toMatchObject([{ runId: id, named }]);
    const { body } = await executePlan(desk, codeHere([order]), { planId, hash, reason: "ordered twice" });
    expect(body.item).toMatchObject({ named, outcome: "done" });
    expect((await readAudit(engine.db, { runId: id })).rows).toMatchObject([{ act: "cancel", named }]);
    const lines: unknown[] = [];
    for await (const piece of await exportOperation(engine.db, body.id, "csv", async (some) => [...some]))
      lines.push(piece);
    expect(lines.join("")).toContain("Order F-1");
    await engine.rows("delete from handrail.run_tag where run_id = $1", [id]);
    await engine.rows("delete from handrail.run where id = $1", [id]);
    expect((await readOperationItems(engine.db, body.id, {})).items).toMatchObject([{ named: null, run: null }]);
  });
});
