import { describe, expect, it } from "vitest";
import {
  formatClock,
  formatClockToMs,
  formatDate,
  formatInstant,
  formatMoment,
  formatUtc,
  formatWeekdayMinute,
  type TimeStyle,
} from "./times";

const at = "2026-11-21T12:05:04.123Z";
const now = Date.parse("2026-11-21T12:09:10.000Z");
const BRITISH: TimeStyle = { zone: "UTC", hours: 24, order: "day month year" };
const AMERICAN: TimeStyle = { zone: "UTC", hours: 12, order: "month day year" };

describe("the clock", () => {
  it("is that of the zone it is given", () => {
    expect(formatClock(at, BRITISH)).toBe("12:05:04");
    expect(formatClock(at, { ...BRITISH, zone: "Asia/Kolkata" })).toBe("17:35:04");
    expect(formatClock("2026-11-21T00:00:00Z", BRITISH)).toBe("00:00:00");
  });

  it("has twelve hours where one writes it so", () => {
    expect(formatClock("2026-11-21T00:00:00Z", AMERICAN)).toBe("12:00:00 am");
    expect(formatClock("2026-11-21T13:05:04Z", AMERICAN)).toBe("1:05:04 pm");
    expect(formatClockToMs(at, AMERICAN)).toBe("12:05:04.123 pm");
    expect(formatWeekdayMinute(at, AMERICAN)).toBe("Sat 12:05 pm");
  });
});

it("a moment has its day, and its year, only where they differ from today's", () => {
  expect(formatMoment(at, now, BRITISH)).toBe("12:05:04");
  expect(formatMoment("2026-11-20T23:59:59Z", now, BRITISH)).toBe("20 Nov 23:59");
  expect(formatMoment("2026-11-20T23:59:59Z", now, { ...BRITISH, zone: "Asia/Kolkata" })).toBe("05:29:59");
  expect(formatMoment("2025-11-20T23:59:59Z", now, BRITISH)).toBe("20 Nov 2025 23:59");
  expect(formatMoment("2025-11-20T23:59:59Z", now, AMERICAN)).toBe("Nov 20, 2025 11:59 pm");
});

it("a date is in the viewer's order, in English words", () => {
  expect(formatDate(at, BRITISH)).toBe("21 Nov 2026");
  expect(formatDate(at, AMERICAN)).toBe("Nov 21, 2026");
  expect(formatDate(at, { ...BRITISH, order: "year month day" })).toBe("2026 Nov 21");
});

it("gives the whole instant in the zone and in UTC", () => {
  expect(formatInstant(at, BRITISH)).toBe("21 Nov 2026, 12:05:04.123");
  expect(formatUtc("2026-11-21T17:35:04.123+05:30")).toBe("2026-11-21 12:05:04.123 UTC");
});
