import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compensationIdempotencyKey, stepIdempotencyKey } from "./idempotency-key";
import { MAX_STEP_NAME_LENGTH } from "./step";

const RUN = "01a1fc16-0090-70fe-a0f4-b293096875d0";
const names = fc.string({ minLength: 1, maxLength: MAX_STEP_NAME_LENGTH, unit: "grapheme" });

describe("a step's idempotency key", () => {
  it("is the same for the same step, and readable if the name is", () => {
    expect(stepIdempotencyKey(RUN, "charge:A-17", 1)).toBe(`${RUN}:charge:A-17:1`);
  });

  it("fits a header and 255 characters, whatever the name", () => {
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 2 ** 31 - 1 }), (name, generation) => {
        expect(compensationIdempotencyKey(RUN, name, generation)).toMatch(/^[\x21-\x7e]{1,255}$/);
      }),
    );
  });

  it("differs by run, step, and generation with fresh keys", () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        fc.pre(one !== other);
        expect(stepIdempotencyKey(RUN, one, 1)).not.toBe(stepIdempotencyKey(RUN, other, 1));
        expect(stepIdempotencyKey(RUN, one, 1)).not.toBe(stepIdempotencyKey(RUN, one, 2));
        expect(stepIdempotencyKey(RUN, one, 1)).not.toBe(stepIdempotencyKey(RUN.replace("0", "1"), one, 1));
      }),
    );
  });

  it.each([
    ["a", "a:1"],
    ["charge", "charge:1:undo"],
  ])("does not collide between %s and %s", (one, other) => {
    const keysOf = (name: string) =>
      [1, 2, 11].flatMap((generation) => [
        stepIdempotencyKey(RUN, name, generation),
        compensationIdempotencyKey(RUN, name, generation),
      ]);
    const all = [...keysOf(one), ...keysOf(other)];
    expect(new Set(all).size).toBe(all.length);
  });

  it("is never the key of its compensation", () => {
    expect(compensationIdempotencyKey(RUN, "charge", 1)).toBe(`${RUN}:charge:1:undo`);
  });
});
