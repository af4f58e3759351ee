import { expect, it } from "vitest";
import { tomorrowAtNine } from "./tomorrow-at-nine";

it.each([
  ["a usual day", "Europe/Berlin", "2026-11-21T14:30:00+01:00", "2026-11-22T09:00:00+01:00"],
  ["the end of a month", "UTC", "2026-11-30T23:59:00Z", "2026-12-01T09:00:00Z"],
  ["the first hour of a day of 25 hours", "Europe/Berlin", "2026-10-25T00:30:00+02:00", "2026-10-26T09:00:00+01:00"],
  ["the last hour before a day of 23 hours", "Europe/Berlin", "2026-03-28T23:30:00+01:00", "2026-03-29T09:00:00+02:00"],
  ["a day that has begun here alone", "Pacific/Auckland", "2026-11-21T12:00:00Z", "2026-11-23T09:00:00+13:00"],
])("is tomorrow by the calendar: %s", (_, zone, now, then) => {
  expect(tomorrowAtNine(Date.parse(now), zone)).toBe(Date.parse(then));
});
