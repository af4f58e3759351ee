import { describe, expect, it } from "vitest";
import { durationText, toMilliseconds } from "./duration";

describe("a duration", () => {
  it.each([
    [0, 0],
    [1_500, 1_500],
    [0.2, 1],
    ["500ms", 500],
    ["30s", 30_000],
    ["5m", 300_000],
    ["24h", 86_400_000],
    ["7d", 604_800_000],
    ["1h 30m", 5_400_000],
    ["1h30m", 5_400_000],
    ["  2 s ", 2_000],
    ["1.5s", 1_500],
    ["0.1ms", 1],
    ["3650d", 315_360_000_000],
  ])("%j is %i ms", (duration, ms) => {
    expect(toMilliseconds(duration)).toBe(ms);
  });

  it.each([
    "",
    " ",
    "5",
    "s",
    "5 weeks",
    "5S",
    "-5s",
    "+5s",
    "1e3s",
    "1,5s",
    ".5s",
    "5s, 3s",
    "٣s",
    "1s\0",
    "3651d",
    `${"9".repeat(400)}s`,
    "1s ".repeat(200),
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    315_360_000_001,
    null,
    undefined,
    {},
    new Date(),
  ])("%j is not a duration", (duration) => {
    expect(() => toMilliseconds(duration as number)).toThrowError(expect.objectContaining({ code: "invalid_value" }));
  });

  it.each([
    [0, "0ms"],
    [500, "500ms"],
    [600_000, "10m"],
    [5_400_000, "1h 30m"],
    [90_061_001, "1d 1h 1m 1s 1ms"],
  ])("%d ms are written as %s, and read back", (ms, text) => {
    expect(durationText(ms)).toBe(text);
    expect(toMilliseconds(text)).toBe(ms);
  });

  it("is parsed quickly, however hostile", () => {
    const before = performance.now();
    for (const text of [
      "1".repeat(99),
      `${"1".repeat(50)}.${"1".repeat(48)}`,
      `${" ".repeat(98)}x`,
      `${"1m".repeat(49)}x`,
    ])
      expect(() => toMilliseconds(text)).toThrow();
    expect(performance.now() - before).toBeLessThan(500);
  });
});
