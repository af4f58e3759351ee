import { expect, it } from "vitest";
import { inWords, Pauses } from "./pauses";

it("pauses before restarts grow up to half a minute, and there is none again after a minute of life", () => {
  const pauses = new Pauses();
  const taken = Array.from({ length: 9 }, () => pauses.next(100));
  expect(taken).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(pauses.next(59_000)).toBe(30_000);
  expect([pauses.next(61_000), pauses.next(100)]).toEqual([0, 500]);
  expect([inWords(0), inWords(500), inWords(30_000)]).toEqual(["at once", "in 0.5 s", "in 30 s"]);
});
