import fc from "fast-check";
import { expect, it } from "vitest";
import { canonical, hasValidSignature, signHead } from "./audit-chain";
import { newAuditKeys, parseAuditKeys } from "./audit-keys";

const secret = (first: number, bytes = 32) =>
  Buffer.from(Array.from({ length: bytes }, (_, n) => first + n)).toString("base64");

it("a value has one text, whatever the order of its names in the database", () => {
  expect(canonical({ b: [1, { d: null, c: "x" }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, item]) => [name, shuffled(item)]),
    );
  };
  fc.assert(fc.property(fc.jsonValue(), (value) => canonical(shuffled(value)) === canonical(value)));
  fc.assert(fc.property(fc.jsonValue(), (value) => canonical(JSON.parse(canonical(value))) === canonical(value)));
});

it.each([
  ["", null],
  ["k1", null],
  [`k1:${secret(1, 31)}`, null],
  [`K 1:${secret(1)}`, null],
  [`k1:${secret(1)},k1:${secret(2)}`, null],
  [`k1:${secret(1)},`, null],
  [`k1:${secret(1)}`, ["k1"]],
  [`2026-11:${secret(1)}, 2025.1:${secret(2, 64)}`, ["2026-11", "2025.1"]],
])("keys %#", (text, ids) => {
  const keys = parseAuditKeys(text);
  expect(keys && [...keys.byId.keys()]).toEqual(ids);
  if (ids) expect(keys?.current.id).toBe(ids[0]);
});

it("a head is signed by the current key, and other keys' signatures do not verify", () => {
  const [ours, others] = [newAuditKeys(), newAuditKeys()];
  const head = signHead(ours, { seq: 3, hash: "ab", at: "2026-11-21T09:00:00Z" });
  expect(hasValidSignature(ours, head)).toBe(true);
  expect(hasValidSignature(others, head)).toBe(false);
  expect(hasValidSignature(ours, { ...head, seq: 4 })).toBe(false);
});
