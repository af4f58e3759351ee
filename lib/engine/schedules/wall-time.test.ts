import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantsOf, offsetWords, readWallTime, skippedWords, wallTimeAt } from "./wall-time";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "Asia/Kolkata",
  "Australia/Lord_Howe", // put forward by half an hour
  "Africa/Casablanca", // put back for a month
  "Pacific/Apia", // left out a whole day
  "Pacific/Kiritimati",
];
const instantsIn = (text: string, zone: string) =>
  instantsOf(readWallTime(text), zone).map((instant) => new Date(instant).toISOString());

describe("a wall time", () => {
  it("is one instant on most days", () => {
    expect(instantsIn("2026-11-21T14:30", "Europe/Berlin")).toEqual(["2026-11-21T13:30:00.000Z"]);
    expect(instantsIn("2026-11-21", "America/New_York")).toEqual(["2026-11-21T05:00:00.000Z"]);
    expect(instantsIn("2026-11-21 14:30:15.5", "Asia/Kolkata")).toEqual(["2026-11-21T09:00:15.500Z"]);
  });

  it("is no instant where clocks skip it", () => {
    expect(instantsIn("2026-03-29T01:59", "Europe/Berlin")).toEqual(["2026-03-29T00:59:00.000Z"]);
    expect(instantsIn("2026-03-29T02:00", "Europe/Berlin")).toEqual([]);
    expect(instantsIn("2026-03-29T02:59", "Europe/Berlin")).toEqual([]);
    expect(instantsIn("2026-03-29T03:00", "Europe/Berlin")).toEqual(["2026-03-29T01:00:00.000Z"]);
    expect(instantsIn("2011-12-30T12:00", "Pacific/Apia")).toEqual([]);
    expect(skippedWords(readWallTime("2026-03-29T02:30"), "Europe/Berlin")).toBe(
      "The clocks of Europe/Berlin are put forward from 02:00 to 03:00 then.",
    );
    expect(skippedWords(readWallTime("2026-10-04T02:10"), "Australia/Lord_Howe")).toMatch(/from 02:00 to 02:30/);
  });

  it("is two instants where clocks repeat it, the earlier first", () => {
    expect(instantsIn("2026-10-25T01:59", "Europe/Berlin")).toEqual(["2026-10-24T23:59:00.000Z"]);
    expect(instantsIn("2026-10-25T02:00", "Europe/Berlin")).toEqual([
      "2026-10-25T00:00:00.000Z",
      "2026-10-25T01:00:00.000Z",
    ]);
    expect(instantsIn("2026-10-25T03:00", "Europe/Berlin")).toEqual(["2026-10-25T02:00:00.000Z"]);
    expect(instantsIn("2026-11-01T01:30", "America/New_York")).toHaveLength(2);
    expect(instantsIn("2026-04-05T01:45", "Australia/Lord_Howe")).toHaveLength(2);
  });

  it("leads back to its instant, in every zone and through every clock change", () => {
    const minutes = fc.integer({ min: Date.UTC(2000) / 60_000, max: Date.UTC(2035) / 60_000 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...ZONES), (minute, zone) => {
        const instant = minute * 60_000;
        const back = instantsOf(readWallTime(wallTimeAt(instant, zone)), zone);
        expect(back).toContain(instant);
        for (const other of back) expect(wallTimeAt(other, zone)).toBe(wallTimeAt(instant, zone));
      }),
    );
  });

  it("is read only as a day or a time without a zone", () => {
    for (const text of [
      "",
      "yesterday",
      "2026-13-45",
      "2026-11-21T10:00Z",
      "2026-11-21T10:00+02:00",
      "2026-11-21T25:00",
    ])
      expect([readWallTime(text), instantsOf(readWallTime(text), "UTC")], text).toEqual([Number.NaN, []]);
  });
});

it.each([
  ["UTC", "UTC"],
  ["Europe/London", "UTC"],
  ["Asia/Kolkata", "UTC+5:30"],
  ["America/St_Johns", "UTC−3:30"],
  ["America/New_York", "UTC−5"],
])("%s is then %s", (zone, words) => expect(offsetWords(zone, Date.UTC(2026, 10, 21))).toBe(words));
