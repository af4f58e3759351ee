import { expect, it } from "vitest";
import { payloadKeysOf } from "../../testing/payload-keys";
import { inOneGo } from "../parts";
import { maskedTag, withMaskedTags } from "./masked-tags";
import { keyedForms, keyIdOfTag, rekeyed, withKey } from "./searchable-tags";

const keys = payloadKeysOf("one", "two");
const masking = { masked: ["email"], searchable: ["email", "city"] };
const input = JSON.stringify({ email: "Ada@Example.com", city: "Berlin" });
const tags = inOneGo(withMaskedTags({ email: "Ada@Example.com", city: "Berlin" }, masking, input));
const stored = withKey(keys, tags.email as string);

it("a searchable tag that reveals nothing is stored as it is", () => {
  expect(withKey(keys, tags.city as string)).toBe("Berlin");
});

it("one that does is found by its value in any case, under each key, and says nothing of it", () => {
  expect(stored).toMatch(/^masked:one:[0-9a-f]{32}$/);
  expect(keyIdOfTag(stored)).toBe("one");
  for (const asked of ["ada@example.com", " ADA@example.COM ", "Ada@Example.com"])
    expect(keyedForms(keys, asked)[0], asked).toBe(stored);
  expect(keyedForms(keys, "ada@example.co")).not.toContain(stored);
  expect(keyedForms(payloadKeysOf("two"), "ada@example.com")).not.toContain(stored);
  // Not the digest that anybody can compute.
  expect(stored).not.toContain(maskedTag("ada@example.com").slice("masked:".length));
});

it("another key takes its place without the value, and without its own key it stays", () => {
  expect(rekeyed(payloadKeysOf("two", "one"), stored)).toBe(keyedForms(payloadKeysOf("two"), "ada@example.com")[0]);
  expect(rekeyed(payloadKeysOf("two"), stored)).toBeUndefined();
});

it("without a key it is an ordinary masked tag; before the store has seen it, PostgreSQL would refuse it", () => {
  expect(withKey(null, tags.email as string)).toBe(maskedTag("Ada@Example.com"));
  expect(tags.email).toContain("\0");
  expect(withKey(keys, maskedTag("x"))).toBe(maskedTag("x"));
});
