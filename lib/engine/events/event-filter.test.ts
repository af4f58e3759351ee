import { expect, it } from "vitest";
import { z } from "zod";
import { fieldsOf } from "../workflows/payload-paths";
import { type EventFilter, planFilter } from "./event-filter";

const plan = (where: unknown, schema?: z.ZodType) => planFilter(where, 'step "wait"', fieldsOf(schema));

it("a value, a list and comparisons become clauses", () => {
  expect(JSON.parse(plan({ country: ["DE", "AT"], "order.cents": { gt: 1, lte: 9 }, note: null }))).toEqual([
    { path: ["country"], op: "in", value: ["DE", "AT"] },
    { path: ["order", "cents"], op: "gt", value: 1 },
    { path: ["order", "cents"], op: "lte", value: 9 },
    { path: ["note"], op: "in", value: [null] },
  ]);
});

it.each([
  ["DE", "has to be an object of fields"],
  [[{ country: "DE" }], "has to be an object of fields"],
  [{}, "1 to 20 fields"],
  [{ "a..b": 1 }, 'cannot name the field "a..b"'],
  [{ $type: "date" }, 'cannot name the field "$type"'],
  [{ country: undefined }, "compares with a undefined"],
  [{ cents: 5n }, "compares with a bigint"],
  [{ cents: Number.NaN }, "compares with a number"],
  [{ at: new Date(0) }, "compares with a object"],
  // biome-ignore lint/suspicious/noSparseArray: what JavaScript may give
  [{ country: ["DE", ,] }, "compares with a undefined"],
  [{ country: [] }, "needs 1 to 100 values"],
  [{ country: {} }, "has no comparison"],
  [{ cents: { greater: 5 } }, 'unknown operator "greater" (known: not, gt, gte, lt, lte, exists) at "cents"'],
  [{ cents: { gt: null } }, "needs a number or a string for gt"],
  [{ cents: { exists: "yes" } }, "needs true or false for exists"],
  [{ country: "a\u0000" }, "compares with a string"],
])("%o is refused", (where, message) => {
  expect(() => plan(where)).toThrow(
    expect.objectContaining({ code: "invalid_workflow", message: expect.stringContaining(message) }),
  );
});

it("a path that the schema does not have is refused, where that can be known", () => {
  const schema = z.object({
    country: z.string(),
    order: z.object({ cents: z.int() }),
    extra: z.record(z.string(), z.int()),
  });
  expect(() => plan({ countri: "DE" }, schema)).toThrow('names "countri", which the payload\'s schema does not have');
  expect(() => plan({ "order.cent": 1 }, schema)).toThrow('names "order.cent"');
  for (const path of ["country", "order.cents", "extra.any"]) expect(plan({ [path]: 1 }, schema)).toContain('"in"');
  expect(plan({ any: 1 }, z.looseObject({ a: z.string() }))).toContain("any");
  expect(plan({ b: 1 }, z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]))).toContain("b");
});

it("types know the fields of a payload", () => {
  type Paid = { cents: number; country: "DE" | "AT"; customer: { name: string } };
  const where: EventFilter<Paid> = {
    cents: { gt: 5 },
    country: ["DE"],
    "customer.name": "Ada",
    customer: { exists: true },
  };
  // @ts-expect-error an unknown field
  const unknown: EventFilter<Paid> = { countri: "DE" };
  // @ts-expect-error a value of another type
  const other: EventFilter<Paid> = { cents: "many" };
  expect([where, unknown, other].every(Boolean)).toBe(true);
});
