import { expect, it } from "vitest";
import { z } from "zod";
import { prepareStarts } from "../../engine/runs/start";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { countByKey, rotate } from "../../store/privacy/payload-rotation";
import { insertRunsOnce } from "../../store/runs/start-many";
import { payloadKeysOf, withPayloadKeys } from "../../testing/payload-keys";
import { anEngine } from "../../testing/workers/engine";
import { readRun, readRuns } from "../runs/reads";
import { search } from "../search";

const engine = anEngine();
const seal = withPayloadKeys();

const input = z.object({ email: z.string(), card: z.string().default("4242 4242") });
const order = defineWorkflow(
  {
    name: "searched-order",
    input,
    masked: ["email", "card"],
    tags: ({ email, card }) => ({ email, card }),
    searchable: ["email"],
  },
  async () => undefined,
);
const parent = defineWorkflow({ name: "searched-parent", input, masked: ["email"] }, (ctx, given) =>
  ctx.child("order", order, given),
);

const found = async (q: string, blind: boolean) => (await readRuns(engine.db, { q, blind })).runs.map(({ id }) => id);

it("everyone who may search finds a run by the whole value, however it was started; nothing shows or stores it", async () => {
  seal("one");
  const first = await engine.start(order, { email: "Ada@Example.com" });
  const keyed = await engine.start(order, { email: "ada@example.com" }, { idempotencyKey: "searched" });
  const starts = await prepareStarts(order, [{ input: { email: "ADA@example.com " } }]);
  const [batch] = await insertRunsOnce(engine.db, starts);
  const debounced = await engine.start(
    order,
    { email: "ada@example.com" },
    { debounce: { key: "searched", delayMs: 60_000 } },
  );
  const family = await engine.start(parent, { email: "ada@example.com" });
  await engine.worker([order, parent]);
  await engine.untilEnded(family);
  const all = await found("ada@example.com", true);
  expect(all).toHaveLength(5);
  expect(all).toEqual(expect.arrayContaining([first, keyed, batch?.id, debounced]));
  expect(await found("ada@example.com", false)).toEqual(all);
  expect((await search(engine.db, { q: "Ada@example.com", blind: true })).runs).toHaveLength(5);
  const byTag = { tags: { email: "ada@example.com" }, blind: true };
  expect((await readRuns(engine.db, byTag)).runs).toHaveLength(5);
  for (const guess of ["ada@example.co", "example.com", "ada", "4242 4242"])
    expect(await found(guess, true), guess).toEqual([]);
  const [row] = await engine.rows<{ value: string }>("select value from handrail.run_tag where name = 'email' limit 1");
  expect(row?.value).toMatch(/^masked:one:[0-9a-f]{32}$/);
  // A digest that somebody has read finds nothing.
  expect(await found(row?.value as string, true)).toEqual([]);
  expect((await readRun(engine.db, first)).tags.email).not.toContain("ada");
});

it("rotation keeps it found, before, during and after, and the old key is not needed then", async () => {
  seal("old");
  const id = await engine.start(order, { email: "rotated@example.com" }, { delayMs: 60_000 });
  seal("new", "old");
  const after = await engine.start(order, { email: "rotated@example.com" }, { delayMs: 60_000 });
  expect(await found("rotated@example.com", true)).toEqual([after, id]);
  expect((await countByKey(engine.db)).get("old")).toBeGreaterThan(0);
  await rotate(engine.db, payloadKeysOf("new", "old"));
  expect((await countByKey(engine.db)).get("old")).toBeUndefined();
  seal("new");
  expect(await found("rotated@example.com", true)).toEqual([after, id]);
});

it("without a key it is found by those alone who may see masked values", async () => {
  const id = await engine.start(order, { email: "unkeyed@example.com" });
  expect(await found("unkeyed@example.com", true)).toEqual([]);
  expect(await found("unkeyed@example.com", false)).toEqual([id]);
});
