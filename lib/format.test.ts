import { describe, expect, it } from "vitest";
import {
  atLeast,
  formatBytes,
  formatCount,
  formatDuration,
  formatRelative,
  formatShortCount,
  plural,
  shortenMiddle,
} from "./format";

describe("formatDuration", () => {
  it.each([
    [0, "0 ms"],
    [6.4, "6 ms"],
    [999, "999 ms"],
    [1_000, "1 s"],
    [1_940, "1.9 s"],
    [9_999, "9.9 s"],
    [41_700, "41 s"],
    [60_000, "1 min"],
    [190_000, "3 min 10 s"],
    [83_520_000, "23 h 12 min"],
    [86_400_000, "1 d"],
    [273_600_000, "3 d 4 h"],
    [86_400_000 * 1_200, "1,200 d"],
    [-5, "0 ms"],
    [Number.NaN, "–"],
  ])("%d ms reads %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it("never rounds up to a unit that has not passed", () => {
    expect(formatDuration(59_999)).toBe("59 s");
    expect(formatDuration(3_599_999)).toBe("59 min 59 s");
  });
});

describe("distances of time", () => {
  const at = "2026-11-21T12:05:04.123Z";
  const now = Date.parse("2026-11-21T12:09:10.000Z");

  it("says how long ago, and how long until", () => {
    expect(formatRelative(at, now)).toBe("4 min ago");
    expect(formatRelative("2026-11-21T12:09:09.500Z", now)).toBe("just now");
    expect(formatRelative("2026-11-22T11:30:00Z", now)).toBe("in 23 h");
    expect(formatRelative("2026-11-21T12:09:11.000Z", now)).toBe("in a moment");
  });
});

describe("numbers and ids", () => {
  it("caps a count where counting stopped", () => {
    expect(formatCount(1_204)).toBe("1,204");
    expect([atLeast(1_204, false), atLeast(1_204, true), atLeast(0, false), atLeast(0, true)]).toEqual([
      "1,204",
      "1,204+",
      "0",
      "?",
    ]);
    expect(formatCount(9_999, 10_000)).toBe("9,999");
    expect(formatCount(10_000, 10_000)).toBe("10,000+");
    expect([999, 1_999, 12_999].map((count) => formatShortCount(count))).toEqual(["999", "1.9k", "12k"]);
    expect(formatShortCount(10_000, 10_000)).toBe("10k+");
  });

  it("counts things", () => {
    expect(plural(1, "run")).toBe("1 run");
    expect(plural(2, "run")).toBe("2 runs");
    expect(plural(0, "reply", "replies")).toBe("0 replies");
  });

  it("shortens in the middle, and only what gets shorter", () => {
    expect(shortenMiddle("0199c3f7-2044-7d11-8c00-a4b6e5a1")).toBe("0199c3f7…e5a1");
    expect(shortenMiddle("order-A-1042")).toBe("order-A-1042");
  });
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [6_000, "6 kB"],
  [1_234_567, "1.2 MB"],
  [48_000_000_000, "48 GB"],
])("%d bytes are %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));
