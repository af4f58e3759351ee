import fc from "fast-check";
import { expect, it } from "vitest";
import { addressPart, textOfPart } from "./address-part";

/** What is left of a part after URL normalization. */
const arrived = (part: string) => new URL(`http://host/steps/${part}/outcome`).pathname.split("/")[2] as string;

it.each([
  ".",
  "..",
  "~.",
  "~..",
  "~~.",
  "~",
  "...",
  "%2e",
  "%2E%2E",
  "a/..",
  "a\\b",
  "%",
  "?",
  "#",
  " ",
  "é",
  "\u202E",
])("%j is one part of an address, and is read back from it", (text) => {
  expect(textOfPart(decodeURIComponent(arrived(addressPart(text))))).toBe(text);
});

it("every possible step name is read back from its address", () => {
  const names = fc.oneof(
    fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }),
    fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom("~", ".", "%", "/", "2", "e", "E") }),
  );
  fc.assert(
    fc.property(names, (text) => {
      expect(textOfPart(decodeURIComponent(arrived(addressPart(text))))).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});
