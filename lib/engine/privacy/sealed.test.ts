import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeValue, encodeValue } from "../values/codec";
import { type PayloadKeys, parsePayloadKeys } from "./payload-keys";
import { isPayloadLocked, isSealed, keyIdOf, open, type Place, seal } from "./sealed";

const bytes = (text: string) => createHash("sha256").update(text).digest("base64");
const keysOf = (text: string) => parsePayloadKeys(text) as PayloadKeys;
const OLD = keysOf(`old:${bytes("old")}`);
const ROTATED = keysOf(`new:${bytes("new")},old:${bytes("old")}`);
const NEW = keysOf(`new:${bytes("new")}`);

const RUN = "019ab000-0000-7000-8000-00000000000a";
const PLACES: Place[] = [
  [RUN, "input"],
  [RUN, "output"],
  [RUN, "step", "charge", 1],
  [RUN, "step", "charge", 2],
  [RUN, "step", "refund", 1],
  ["019ab000-0000-7000-8000-00000000000b", "input"],
  [RUN, "answer"],
];

const refusal = (work: () => unknown): Error => {
  try {
    work();
  } catch (error) {
    expect(isPayloadLocked(error)).toBe(true);
    return error as Error;
  }
  throw new Error("it opened");
};

describe("a sealed value", () => {
  it("opens unchanged, in its place", () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withMap: true }), fc.constantFrom(...PLACES), (value, place) => {
        let text: string;
        try {
          text = encodeValue(value);
        } catch {
          return;
        }
        const sealed = seal(OLD, place, text);
        expect(JSON.parse(sealed)).toMatchObject({ $type: "sealed", key: "old" });
        expect(open(OLD, place, sealed)).toBe(text);
      }),
    );
  });

  it("is a different text each time, and names its key", () => {
    const [one, other] = [seal(OLD, PLACES[0] as Place, "1"), seal(OLD, PLACES[0] as Place, "1")];
    expect(one).not.toBe(other);
    expect([keyIdOf(one), keyIdOf("1"), isSealed("1")]).toEqual(["old", undefined, false]);
  });

  it("does not open in another place", () => {
    for (const place of PLACES)
      for (const other of PLACES.filter((one) => one !== place))
        expect(refusal(() => open(OLD, other, seal(OLD, place, "1"))).message).toContain("changed or moved");
  });

  it("opens with the run's id in upper or lower case", () => {
    expect(open(OLD, [RUN, "input"], seal(OLD, [RUN.toUpperCase(), "input"], "1"))).toBe("1");
  });

  it("does not open after one bit was changed", () => {
    const place = PLACES[0] as Place;
    const sealed = JSON.parse(seal(OLD, place, '"card"')) as { value: string };
    const whole = Buffer.from(sealed.value, "base64");
    for (let at = 0; at < whole.length * 8; at++) {
      const changed = Buffer.from(whole);
      changed[at >> 3] = (changed[at >> 3] as number) ^ (1 << (at & 7));
      const text = JSON.stringify({ ...sealed, value: changed.toString("base64") });
      refusal(() => open(OLD, place, text));
    }
    for (const value of ["", "AAAA", whole.subarray(0, 20).toString("base64"), "no base64!"])
      refusal(() => open(OLD, place, JSON.stringify({ ...sealed, value })));
  });

  it("needs its key, and names it in the error", () => {
    const sealed = seal(OLD, PLACES[2] as Place, "1");
    const why = refusal(() => open(NEW, PLACES[2] as Place, sealed));
    expect(why.message).toBe(
      `The output of step "charge" of run ${RUN} is sealed with the payload key "old", and this process does not have it. ` +
        "Add it to HANDRAIL_PAYLOAD_KEYS.",
    );
    expect(refusal(() => open(null, PLACES[2] as Place, sealed)).message).toBe(why.message);
    // The same name, another secret.
    refusal(() => open(keysOf(`old:${bytes("other")}`), PLACES[2] as Place, sealed));
  });

  it("opens with an earlier key beside the current one", () => {
    const place = PLACES[1] as Place;
    expect(open(ROTATED, place, seal(OLD, place, "1"))).toBe("1");
    expect(keyIdOf(seal(ROTATED, place, "1"))).toBe("new");
  });
});

describe("beside values in clear", () => {
  it("passes them through", () => {
    expect(open(null, PLACES[0] as Place, '{"a":1}')).toBe('{"a":1}');
  });

  it("cannot be imitated by a program's value", () => {
    const forged = { $type: "sealed", key: "old", value: "AAAA" };
    expect(isSealed(encodeValue(forged))).toBe(false);
    expect(decodeValue(encodeValue(forged))).toEqual(forged);
    expect(() => decodeValue(JSON.stringify(forged))).toThrow(/cannot be stored/);
  });
});

describe("keys", () => {
  it.each([
    ["short", `a:${Buffer.from("too short").toString("base64")}`],
    [
      "long",
      `a:${Buffer.concat([Buffer.from(bytes("1"), "base64"), Buffer.from(bytes("2"), "base64")]).toString("base64")}`,
    ],
    ["not random", `a:${Buffer.alloc(32, 1).toString("base64")}`],
    ["without an id", bytes("1")],
    ["of one id twice", `a:${bytes("1")},a:${bytes("2")}`],
    ["nothing", ""],
    ["a comma too many", `a:${bytes("1")},`],
  ])("are refused: %s", (_, text) => expect(parsePayloadKeys(text)).toBeNull());

  it("keep their order", () => {
    expect([...ROTATED.byId.keys()]).toEqual(["new", "old"]);
    expect(ROTATED.current.id).toBe("new");
  });
});
