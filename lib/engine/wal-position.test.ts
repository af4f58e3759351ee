import { expect, it } from "vitest";
import { isReached, isWalPosition, laterOf } from "./wal-position";

it("compares positions as numbers, not as texts", () => {
  expect(isReached("9/0", "10/0")).toBe(true);
  expect(isReached("10/0", "9/FFFFFFFF")).toBe(false);
  expect(isReached("1/FF", "1/100")).toBe(true);
  expect(isReached("1/100", "1/FF")).toBe(false);
  expect(isReached("1/ab", "1/AB")).toBe(true);
});

it("the later of two is the later one, whichever comes first; one alone is itself", () => {
  expect(laterOf("1/FF", "1/100")).toBe("1/100");
  expect(laterOf("1/100", "1/FF")).toBe("1/100");
  expect(laterOf(null, "1/FF")).toBe("1/FF");
  expect(laterOf("1/FF", null)).toBe("1/FF");
  expect(laterOf(null, null)).toBeNull();
});

it.each(["", "1", "1/", "/1", "1/G", "1/123456789", " 1/1", "1/1\n"])("%j is no position", (text) => {
  expect(isWalPosition(text)).toBe(false);
});
