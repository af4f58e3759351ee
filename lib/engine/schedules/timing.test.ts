import { CronExpressionParser } from "cron-parser";
import { describe, expect, it, vi } from "vitest";
import { oneIn } from "../../testing/sample";
import { checkTiming, lastBetween, nextAfter, type Timing, timesBetween } from "./timing";

const at = (text: string) => new Date(text);
const iso = (dates: Date[]) => dates.map((date) => date.toISOString().replace(":00.000Z", "Z"));
const berlin = (cron: string): Timing => ({ cron, timeZone: "Europe/Berlin" });
const newYork = (cron: string): Timing => ({ cron, timeZone: "America/New_York" });
const between = (timing: Timing, from: string, to: string) => iso(timesBetween(timing, at(from), at(to), 1_000));

describe("a time of day that the clocks skip fires later by the same shift", () => {
  it("in Berlin, 02:30 on 29 March 2026 is 03:30", () => {
    expect(between(berlin("30 2 * * *"), "2026-03-28T00:00Z", "2026-03-31T00:00Z")).toEqual([
      "2026-03-28T01:30Z",
      "2026-03-29T01:30Z",
      "2026-03-30T00:30Z",
    ]);
  });

  it("in New York, 02:30 on 8 March 2026 is 03:30", () => {
    expect(between(newYork("30 2 * * *"), "2026-03-07T00:00Z", "2026-03-10T00:00Z")).toEqual([
      "2026-03-07T07:30Z",
      "2026-03-08T07:30Z",
      "2026-03-09T06:30Z",
    ]);
  });

  it("and fires once where it then coincides with another time of the schedule", () => {
    expect(between(berlin("0 2,3 * * *"), "2026-03-29T00:00Z", "2026-03-29T12:00Z")).toEqual(["2026-03-29T01:00Z"]);
    expect(between(berlin("*/20 2 * * *"), "2026-03-29T00:00Z", "2026-03-29T12:00Z")).toEqual([
      "2026-03-29T01:00Z",
      "2026-03-29T01:20Z",
      "2026-03-29T01:40Z",
    ]);
  });
});

describe("a time of day that the clocks show twice fires at the first one", () => {
  it("in Berlin, 02:30 on 25 October 2026", () => {
    expect(between(berlin("30 2 * * *"), "2026-10-24T00:00Z", "2026-10-27T00:00Z")).toEqual([
      "2026-10-24T00:30Z",
      "2026-10-25T00:30Z",
      "2026-10-26T01:30Z",
    ]);
  });

  it("in New York, 01:30 on 1 November 2026", () => {
    expect(between(newYork("30 1 * * *"), "2026-10-31T00:00Z", "2026-11-03T00:00Z")).toEqual([
      "2026-10-31T05:30Z",
      "2026-11-01T05:30Z",
      "2026-11-02T06:30Z",
    ]);
  });
});

describe("intervals ignore clock changes", () => {
  it.each([
    ["Europe/Berlin", "2026-03-29T00:00Z", "2026-03-29T02:00Z"],
    ["Europe/Berlin", "2026-10-25T00:00Z", "2026-10-25T02:00Z"],
    ["America/New_York", "2026-03-08T06:00Z", "2026-03-08T08:00Z"],
    ["America/New_York", "2026-11-01T05:00Z", "2026-11-01T07:00Z"],
  ])("every half hour in %s from %s on is every half hour", (timeZone, from, to) => {
    const times = timesBetween({ cron: "*/30 * * * *", timeZone }, at(from), at(to), 100).map((time) => time.getTime());
    expect(times.map((time) => time - at(from).getTime())).toEqual([0, 1, 2, 3, 4].map((half) => half * 1_800_000));
  });

  it("an interval fires at multiples of itself since 1970", () => {
    expect(between({ everyMs: 7_200_000 }, "2026-10-24T23:10Z", "2026-10-25T04:10Z")).toEqual([
      "2026-10-25T00:00Z",
      "2026-10-25T02:00Z",
      "2026-10-25T04:00Z",
    ]);
  });
});

const AROUND_CHANGES = [
  berlin("30 2 * * *"),
  berlin("*/20 1-3 * * *"),
  berlin("*/15 * * * *"),
  newYork("30 1,2 * * *"),
  newYork("*/15 1-2 * * *"),
  { cron: "15 2 * * *", timeZone: "Australia/Lord_Howe" },
];
const DAYS = ["2026-03-08", "2026-03-29", "2026-04-04", "2026-10-03", "2026-10-25", "2026-11-01"];

const MINUTES = Array.from({ length: 206 }, (_, index) => index * 7);

it.each(AROUND_CHANGES.flatMap((timing) => DAYS.map((day) => ({ ...timing, day }))))(
  "the times are the same from any starting point: %j",
  ({ day, ...timing }) => {
    const start = at(`${day}T00:00Z`).getTime();
    const all = timesBetween(timing, new Date(start - 86_400_000), new Date(start + 2 * 86_400_000), 1_000);
    for (const minute of oneIn(3, MINUTES)) {
      const from = new Date(start + minute * 60_000);
      expect(nextAfter(timing, from)).toEqual(all.find((time) => time > from));
      expect(lastBetween(timing, new Date(start - 86_400_000), from)).toEqual(
        all.filter((time) => time <= from).at(-1),
      );
    }
  },
);

it("the last time of a rare schedule is found far back, and is null if there is none", () => {
  const leapDay: Timing = { cron: "0 0 29 2 *", timeZone: "UTC" };
  expect(lastBetween(leapDay, at("2020-01-01T00:00Z"), at("2027-05-01T00:00Z"))).toEqual(at("2024-02-29T00:00Z"));
  expect(lastBetween(leapDay, at("2025-01-01T00:00Z"), at("2027-05-01T00:00Z"))).toBeNull();
  const atWork = { cron: "* * 8-17 * * 1-5", timeZone: "Europe/Berlin" };
  const parse = vi.spyOn(CronExpressionParser, "parse");
  expect(lastBetween(atWork, at("2026-10-01T00:00Z"), at("2026-11-01T12:00Z"))).toEqual(at("2026-10-30T16:59:59Z"));
  expect(parse.mock.calls.length).toBeLessThan(500);
  parse.mockRestore();
});

it.each([
  [{ cron: "* * *", timeZone: "UTC" }, "five fields"],
  [{ cron: "", timeZone: "UTC" }, "five fields"],
  [{ cron: "0 25 * * *", timeZone: "UTC" }, "does not work"],
  [{ cron: "0 0 31 2 *", timeZone: "UTC" }, "does not work"],
  [{ cron: "H 3 * * *", timeZone: "UTC" }, "random time"],
  [{ cron: "0 3 * * *", timeZone: "Mars/Olympus" }, "no time zone"],
  [{ everyMs: 999 }, "whole number of milliseconds"],
  [{ everyMs: 1_500.5 }, "whole number of milliseconds"],
] as [Timing, string][])("%j is refused: %s", (timing, because) => {
  expect(() => checkTiming(timing)).toThrow(because);
});

it.each([
  berlin("0 3 * * *"),
  berlin("*/5 0 3 * * *"),
  berlin("@daily"),
  berlin("0 9 * * MON-FRI"),
  { everyMs: 1_000 },
] as Timing[])("%j is accepted", (timing) => expect(() => checkTiming(timing)).not.toThrow());
