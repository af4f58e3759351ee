import { describe, expect, it } from "vitest";
import { changeText, percentText, pointsText } from "./compare-words";

const hour = { window: "1h", beforeIsWhole: true } as const;

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
    expect(changeText(5, 0, { window: "7d", beforeIsWhole: false })).toBeNull();
    expect(pointsText(0.1, 0.2, { window: "7d", beforeIsWhole: false })).toBeNull();
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
