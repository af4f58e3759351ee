import { describe, expect, it } from "vitest";
import { changeText, percentText, pointsText } from "./compare-words";

const counted = { countedUntil: "2026-11-21T14:00:00.000Z", updatedAt: "2026-11-21T14:00:03.000Z" };
const hour = { window: "1h", beforeIsWhole: true, ...counted } as const;

describe("the comparison with the window before", () => {
  it.each([
    [112, 100, "+12% on the hour before"],
    [88, 100, "−12% on the hour before"],
    [100, 100, "as in the hour before"],
    [5, 0, "none in the hour before"],
    [0, 0, "as in the hour before"],
    [5_000, 100, "50 times the hour before"],
  ])("of %d with %d says %s", (now, before, text) => expect(changeText(now, before, hour)).toBe(text));

  it("is not made where the window before was not counted", () => {
    expect(changeText(5, 0, { ...counted, window: "7d", beforeIsWhole: false })).toBeNull();
    expect(pointsText(0.1, 0.2, { ...counted, window: "7d", beforeIsWhole: false })).toBeNull();
  });

  it("is not made while runs of this window are not counted", () => {
    for (const countedUntil of ["2026-11-21T13:59:00.000Z", null]) {
      expect(changeText(0, 100, { ...hour, countedUntil })).toBeNull();
      expect(pointsText(0, 0.2, { ...hour, countedUntil })).toBeNull();
    }
  });

  it("of shares is in points", () => {
    expect(pointsText(0.123, 0.1, { ...hour, window: "24h" })).toBe("+2.3 points on the 24 hours before");
    expect(pointsText(0.1, 0.1, hour)).toBe("as in the hour before");
  });
});

it.each([
  [0, "0%"],
  [0.0004, "< 0.1%"],
  [0.0234, "2.3%"],
  [0.42, "42%"],
])("a share of %d is %s", (share, text) => expect(percentText(share)).toBe(text));
