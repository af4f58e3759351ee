import { expect, it } from "vitest";
import { workflowOf } from "./definition";

const ofSchema = (inputSchema: Record<string, unknown>) =>
  workflowOf({ name: "foreign", version: 1, language: "python", inputSchema }).input;

it.each([
  [
    "alternatives",
    { type: "array", items: { anyOf: Array.from({ length: 20_000 }, (_, n) => ({ const: `k${n}` })) } },
    Array.from({ length: 5_000 }, () => "k19999"),
  ],
  ["a pattern", { type: "string", pattern: "^(a+)+$" }, `${"a".repeat(40)}!`],
])(
  "a check of an input against %s ends after its time",
  async (_, schema, input) => {
    const check = async () => {
      const read = ofSchema(schema);
      return read["~standard"].validate(input);
    };
    await expect(check()).rejects.toMatchObject({
      message: expect.stringMatching(/inputSchema|input of workflow "foreign"/),
    });
  },
  30_000,
);

it("an input that fits is taken, one that does not is not", async () => {
  const schema = ofSchema({
    type: "object",
    properties: { n: { anyOf: [{ type: "number" }, { type: "null" }] } },
    required: ["n"],
  });
  expect(await schema["~standard"].validate({ n: null })).toEqual({ value: { n: null } });
  expect(await schema["~standard"].validate({ n: "1" })).toMatchObject({ issues: [expect.anything()] });
});
