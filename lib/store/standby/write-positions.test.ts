import { expect, it } from "vitest";
import { LONGEST_LAG_MS, WritePositions } from "./write-positions";

it("an owner's reads need what that owner has written last, and nothing of others", () => {
  const writes = new WritePositions();
  writes.note("a", "1/10", 0);
  writes.note("a", "1/20", 1);
  expect(writes.of("a")).toBe("1/20");
  expect(writes.of("b")).toBeNull();
});

it("a write whose position nobody knows is unknown until the next one", () => {
  const writes = new WritePositions();
  writes.note("a", "1/10", 0);
  writes.note("a", null, 1);
  expect(writes.of("a")).toBeUndefined();
  writes.note("a", "1/30", 2);
  expect(writes.of("a")).toBe("1/30");
});

it("is bounded: whoever is forgotten for want of room still gets what they wrote", () => {
  const writes = new WritePositions();
  writes.note("first", "1/10", 0);
  for (let n = 0; n < 10_000; n++) writes.note(`owner ${n}`, "1/5", 1);
  expect(writes.of("first")).toBe("1/10");
  expect(writes.of("somebody")).toBe("1/10");
});

it("what every usable standby has replayed by now is forgotten", () => {
  const writes = new WritePositions();
  writes.note("a", "1/10", 0);
  writes.note("b", "1/20", LONGEST_LAG_MS + 1);
  expect(writes.of("a")).toBeNull();
  expect(writes.of("b")).toBe("1/20");
});
