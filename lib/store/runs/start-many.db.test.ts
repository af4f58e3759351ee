import { expect, it } from "vitest";
import { z } from "zod";
import { MAX_STARTS } from "../../engine/runs/run";
import { prepareStarts, type StartOptions } from "../../engine/runs/start";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { anEngine } from "../../testing/workers/engine";
import { insertRunsOnce } from "./start-many";

const engine = anEngine();
const input = z.object({ n: z.number() });
const aWorkflow = (name: string) =>
  defineWorkflow({ name, input, tags: ({ n }) => ({ n: `${n}` }), concurrency: { limit: 5 } }, async () => "done");

const prepared = (
  workflow: ReturnType<typeof aWorkflow>,
  ns: number[],
  options: (n: number) => StartOptions = () => ({}),
) =>
  prepareStarts(
    workflow,
    ns.map((n) => ({ input: { n }, options: options(n) })),
  );
const countOf = async (name: string) =>
  (await engine.rows<{ n: number }>("select count(*)::int as n from handrail.run where workflow = $1", [name]))[0]?.n;
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const keyed = (n: number) => ({ idempotencyKey: `key-${n}` });

it("ten thousand runs start in one transaction, in order, with and without keys", async () => {
  const workflow = aWorkflow("ten-thousand");
  const runs = await prepared(workflow, upTo(MAX_STARTS), (n) => (n % 2 ? keyed(n) : { delayMs: n }));
  const started = await insertRunsOnce(engine.db, runs);
  expect(started.every(({ created }) => created)).toBe(true);
  const found = await engine.rows<{ id: string; n: string; key: string | null }>(
    "select id, tags ->> 'n' as n, idempotency_key as key from handrail.run where workflow = $1",
    [workflow.name],
  );
  const byId = new Map(found.map((row) => [row.id, row]));
  for (const n of [0, 1, 4_998, 9_999])
    expect(byId.get(started[n]?.id as string)).toMatchObject({ n: `${n}`, key: n % 2 ? `key-${n}` : null });
});

it("starts that are sent twice start once; new ones among them start", async () => {
  const workflow = aWorkflow("twice");
  const first = await insertRunsOnce(engine.db, await prepared(workflow, upTo(50), keyed));
  const second = await insertRunsOnce(engine.db, await prepared(workflow, upTo(60), keyed));
  expect(second.slice(0, 50)).toEqual(first.map(({ id }) => ({ id, created: false })));
  expect(second.slice(50).every(({ created }) => created)).toBe(true);
  expect(await countOf(workflow.name)).toBe(60);
});

it("a key twice in one call starts one run", async () => {
  const workflow = aWorkflow("twice-in-one");
  const [one, other] = await insertRunsOnce(engine.db, await prepared(workflow, [1, 1], keyed));
  expect(other).toEqual({ id: one?.id, created: false });
});

it("a start without a key that is given twice starts two runs, and each has its id", async () => {
  const workflow = aWorkflow("given-twice");
  const [run] = await prepared(workflow, [1]);
  if (!run) throw new Error("Nothing was prepared.");
  const started = await insertRunsOnce(engine.db, [run, run]);
  expect(new Set(started.map(({ id }) => id)).size).toBe(2);
  expect(await countOf(workflow.name)).toBe(2);
});

it("one conflict prevents all starts", async () => {
  const workflow = aWorkflow("conflict");
  await insertRunsOnce(engine.db, await prepared(workflow, [7], keyed));
  const runs = await prepared(workflow, upTo(20), (n) => ({ idempotencyKey: `key-${n === 3 ? 7 : n + 100}` }));
  await expect(insertRunsOnce(engine.db, runs)).rejects.toMatchObject({ code: "idempotency_conflict" });
  expect(await countOf(workflow.name)).toBe(1);
});

it("batches with the same keys in opposite orders do not deadlock", async () => {
  const workflow = aWorkflow("opposite");
  const runs = await prepared(workflow, upTo(500), keyed);
  await Promise.all([insertRunsOnce(engine.db, runs), insertRunsOnce(engine.db, [...runs].reverse())]);
  expect(await countOf(workflow.name)).toBe(500);
});

it("too many are refused, and an invalid one is named", async () => {
  const workflow = aWorkflow("refused");
  await expect(prepared(workflow, upTo(MAX_STARTS + 1))).rejects.toMatchObject({ code: "invalid_request" });
  await expect(prepared(workflow, [1, 2, Number.NaN])).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("Start 3: "),
    details: { index: 2 },
  });
});
