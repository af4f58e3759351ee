import { expect } from "vitest";
import type { Case } from "../case";

const tagged = (type: string, value: unknown) => ({ $type: type, value });
const nested = (depth: number): unknown => (depth === 0 ? null : [nested(depth - 1)]);

/** As the API has them: what a client reads of each and sends again is the same. */
const VALUES = {
  texts: ["", "Zoë 🚲", "\u2028", "'; drop table", tagged("string", "NUL: \\u0000, half a pair: \\ud83d")],
  numbers: [
    0,
    -1,
    1.5,
    9_007_199_254_740_991,
    1e300,
    tagged("number", "Infinity"),
    tagged("number", "NaN"),
    tagged("number", "-0"),
  ],
  bigint: tagged("bigint", "123456789012345678901234567890"),
  dates: [tagged("Date", "2026-02-28T23:59:59.999Z"), tagged("Date", "1969-12-31T00:00:00.000Z")],
  bytes: tagged("Uint8Array", "AP8="),
  set: tagged("Set", ["a"]),
  map: tagged("Map", [
    [1, "one"],
    ["two", tagged("Date", "2026-01-01T00:00:00.000Z")],
  ]),
  escaped: tagged("object", [["$type", "Date"]]),
  deep: nested(90),
  others: [null, true, [], {}],
};

export const valueCases: readonly Case[] = [
  [
    "values keep their kind from the input through a step to the output",
    async (stage) => {
      await stage.work([{ step: "echo", bodies: [{ input: true }] }]);
      const runId = await stage.start(VALUES);
      expect(await stage.result(runId)).toEqual({ echo: VALUES });
    },
  ],
  [
    "an event's payload and a default keep their kind",
    async (stage) => {
      const { dates, bytes } = VALUES;
      await stage.work([
        { event: "sent", name: "paid" },
        { event: "late", name: "never", timeoutMs: 1, default: bytes },
      ]);
      const runId = await stage.start();
      await stage.driver.do({ do: "send", event: "paid", payload: dates, runId });
      expect(await stage.result(runId)).toEqual({ sent: dates, late: bytes });
    },
  ],
  [
    "an output that cannot be kept fails its step for good; of a once step, a person is asked",
    async (stage) => {
      await stage.work([
        { step: "deep", caught: true, bodies: [{ depth: 101 }] },
        { step: "mail", effect: "once", bodies: [{ depth: 101 }] },
      ]);
      const runId = await stage.start();
      await stage.untilAttention(runId, "outcome_unknown");
      expect(await stage.step(runId, "deep")).toMatchObject({ status: "failed", attempt: 1 });
      await stage.scene.act(runId, "steps/mail/resolution", { outcome: "happened", output: null });
      expect(await stage.result(runId)).toMatchObject({ mail: null });
    },
  ],
  [
    "masked fields are masked for people, and not for the worker",
    async (stage) => {
      const definition = { masked: ["card.number"], inputSchema: { type: "object", required: ["card"] } };
      await stage.work([{ step: "echo", bodies: [{ input: true }] }], definition);
      const input = { card: { number: "4111", brand: "visa" } };
      const runId = await stage.start(input);
      await stage.until(runId, "completed");
      expect((await stage.scene.history(runId)).run.output).toEqual({ echo: input });
      const masked = { card: { number: expect.objectContaining({ $type: "masked" }), brand: "visa" } };
      expect(await stage.driver.do({ do: "status", runId })).toMatchObject({ input: masked });
      const refused = { do: "start", workflow: stage.workflow, input: [] } as const;
      expect(await stage.refusal(refused)).toBe("invalid_input");
    },
  ],
];
