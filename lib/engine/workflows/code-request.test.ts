import { expect, it } from "vitest";
import { z } from "zod";
import { defineEvent } from "../events/event";
import { answerOf, payloadRequest, preparedBy, startAsked, startsRequest } from "./code-request";
import { defineWorkflow } from "./workflow";
import { codeHere, type GivenStart } from "./workflow-code";

const paid = defineEvent({ name: "paid", payload: z.object({ cents: z.int() }) });
const order = defineWorkflow(
  {
    name: "order",
    input: z.object({ id: z.string(), at: z.date().optional(), big: z.bigint().default(7n) }),
    tags: ({ id }) => ({ id }),
    concurrency: { limit: 1, key: ({ id }) => id },
    masked: ["id"],
    events: [paid],
  },
  async () => null,
);
const here = codeHere([order]);
const noPause = async () => undefined;

const elsewhere = async (...starts: GivenStart[]) =>
  preparedBy(await answerOf([order], "order", startsRequest(starts.map(startAsked), null), noPause));

it.each<GivenStart>([
  { input: { id: "a", at: new Date(5) } },
  {
    input: { id: "a" },
    options: { idempotencyKey: "k", runAt: new Date("2030-01-01"), priority: 3, tags: { shop: "b" } },
  },
  { input: { id: "a" }, options: { debounce: { key: "k", delayMs: 5 } } },
  { input: { id: "a" }, options: { delayMs: 5 } },
])("a start is prepared elsewhere as here: %j", async (start) => {
  expect(await elsewhere(start)).toEqual([await here.prepareStart("order", start)]);
});

it.each<GivenStart>([
  { input: { id: 5 } },
  { input: { id: "a" }, options: { runAt: new Date(Number.NaN) } },
  { input: { id: "a" }, options: { priority: 1_000 } },
  { input: { id: "a" }, options: { delayMs: Number.NaN } },
  { input: { id: "x".repeat(2_000_000) } },
])("a start is refused elsewhere as here", async (start) => {
  const refusal = await here.prepareStart("order", start).catch((error: unknown) => error);
  await expect(elsewhere(start)).rejects.toEqual(refusal);
});

it("a refusal among many names its place in all of them", async () => {
  const starts = [{ input: { id: "a" } }, { input: {} }].map(startAsked);
  const answer = await answerOf([order], "order", startsRequest(starts, 500), noPause);
  expect(() => preparedBy(answer)).toThrow(expect.objectContaining({ message: expect.stringMatching(/^Start 502: /) }));
});

it("a payload is checked by the definitions of the one workflow", async () => {
  const ask = async (event: string, payload: unknown) =>
    preparedBy(await answerOf([order], "order", payloadRequest(event, payload), noPause));
  await expect(ask("paid", { cents: 0.5 })).rejects.toMatchObject({ code: "invalid_input" });
  expect(await ask("paid", { cents: 1 })).toEqual([]);
  expect(await ask("other", null)).toEqual([]);
});

it("what the code throws beyond refusals is thrown", async () => {
  const tags = () => {
    throw new TypeError("broken");
  };
  const broken = defineWorkflow({ name: "order", input: z.unknown(), tags }, async () => null);
  const request = startsRequest([startAsked({ input: 1 })], null);
  await expect(answerOf([broken], "order", request, noPause)).rejects.toThrow(TypeError);
});
