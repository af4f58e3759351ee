import { describe, expect, it } from "vitest";
import { z } from "zod";
import { prepareEvent } from "../../engine/events/prepare-event";
import { prepareStart, type StartOptions } from "../../engine/runs/start";
import { defineWorkflow, type Workflow, type WorkflowOptions } from "../../engine/workflows/workflow";
import { sendEvent } from "../../store/events/send-event";
import { insertRunsOnce } from "../../store/runs/start-many";
import { insertRunOnce } from "../../store/runs/start-run";
import { registerWorkflows } from "../../store/workers/workers";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({ n: z.number().default(0) });
const headers = { tenant: "acme", "x-request-id": "4711" };

const readerOf = (name: string, more: Partial<WorkflowOptions<typeof input>> = {}) =>
  defineWorkflow({ name, input, ...more }, (ctx) => ctx.step("read", (body) => body.headers));
const outputOf = async (runId: string) => (await engine.untilEnded(runId)).run.output;
const startOf = async (workflow: Workflow, options: StartOptions = { headers }) =>
  (await insertRunOnce(engine.db, await prepareStart(workflow, {}, options))).id;

describe("headers of a start", () => {
  it("are given to code and bodies, frozen; a run without them has none", async () => {
    const frozen = defineWorkflow({ name: "headed-frozen", input }, async (ctx) => {
      const change = ({ headers }: { headers: object }) => Reflect.set(headers, "tenant", "other");
      return [
        ctx.run.headers,
        change(ctx.run),
        await ctx.step("change", change),
        await ctx.step("read", (body) => body.headers),
      ];
    });
    await engine.worker([frozen]);
    expect(await outputOf(await startOf(frozen))).toEqual([headers, false, false, headers]);
    expect(await outputOf(await startOf(frozen, {}))).toEqual([{}, false, false, {}]);
  });

  it("come with each way to write a start", async () => {
    const plain = readerOf("headed-plain");
    const single = readerOf("headed-single", { singleton: { onConflict: "refuse" } });
    const throttled = readerOf("headed-throttled", { throttle: { limit: 5, perMs: 60_000 } });
    await engine.worker([plain, single, throttled]);
    const many = await Promise.all(
      [{ headers }, { headers, idempotencyKey: "headed" }].map((o) => prepareStart(plain, {}, o)),
    );
    const runs = [
      await startOf(plain),
      await startOf(single),
      await startOf(throttled),
      ...(await insertRunsOnce(engine.db, many)).map(({ id }) => id),
    ];
    for (const runId of runs) expect(await outputOf(runId)).toEqual(headers);
  });

  it("are those of the last debounced start, and of the first one with an idempotency key", async () => {
    const plain = readerOf("headed-last");
    const debounce = { key: "k", delayMs: 50 };
    const runId = await startOf(plain, { headers: { tenant: "first" }, debounce });
    expect(await startOf(plain, { headers, debounce })).toBe(runId);
    const keyed = await startOf(plain, { headers, idempotencyKey: "first-wins" });
    expect(await startOf(plain, { headers: { tenant: "second" }, idempotencyKey: "first-wins" })).toBe(keyed);
    await engine.worker([plain]);
    expect(await outputOf(runId)).toEqual(headers);
    expect(await outputOf(keyed)).toEqual(headers);
  });

  it("come by SQL, which refuses what the library refuses", async () => {
    const plain = readerOf("headed-sql");
    await engine.worker([plain]);
    const bySql = (given: string) =>
      engine.rows<{ id: string }>("select handrail.start_run('headed-sql', '{}', headers => $1::jsonb)::text as id", [
        given,
      ]);
    const [run] = await bySql(JSON.stringify(headers));
    expect(await outputOf(run?.id as string)).toEqual(headers);
    for (const bad of [
      '{"Tenant":"a"}',
      '{"tenant":1}',
      '{"tenant":""}',
      '{"a.b":"1"}',
      '["tenant"]',
      '{"tenant":"a\\nb"}',
    ])
      await expect(bySql(bad), bad).rejects.toThrow("Headers are");
  });

  it("of an event are those of the runs that it starts", async () => {
    const listener = readerOf("headed-by-event", { on: "headed.event" });
    await registerWorkflows(engine.db, [listener]);
    await engine.worker([listener]);
    await sendEvent(engine.db, await prepareEvent("headed.event", {}, { id: "1", headers }));
    await engine.rows("select handrail.send_event('headed.event', '{}', id => '2', headers => $1::jsonb)", [
      JSON.stringify(headers),
    ]);
    const runs = await engine.rows<{ id: string }>("select id::text from handrail.run where workflow = $1", [
      listener.name,
    ]);
    expect(runs).toHaveLength(2);
    for (const { id } of runs) expect(await outputOf(id)).toEqual(headers);
    const toOne = { runId: runs[0]?.id as string, headers };
    await expect(prepareEvent("headed.event", {}, toOne)).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("are given to a compensation", async () => {
    const seen: unknown[] = [];
    const undone = defineWorkflow({ name: "headed-undone", input, onFailure: "compensate" }, async (ctx) => {
      await ctx.step("do", () => 1, { compensate: (_, body) => void seen.push(body.headers) });
      await ctx.step("fail", () => Promise.reject(new Error("no")), { retry: { maxAttempts: 1 } });
    });
    await engine.worker([undone]);
    await engine.untilEnded(await startOf(undone));
    expect(seen).toEqual([headers]);
  });
});
