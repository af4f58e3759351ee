import { expect, it } from "vitest";
import { cronWords } from "./cron-words";

it.each([
  ["0 3 * * *", "At 03:00", "At 3:00 am"],
  ["*/5 * * * *", "Every 5 minutes", "Every 5 minutes"],
  ["30 18 * * 1-5", "At 18:30, Monday through Friday", "At 6:30 pm, Monday through Friday"],
  ["0 0,12 * * *", "At 00:00 and 12:00", "At 12:00 am and 12:00 pm"],
  ["0 9-17 * * *", "Every hour, between 09:00 and 17:00", "Every hour, between 9:00 am and 5:00 pm"],
])("%s by either clock", (cron, by24, by12) => {
  const schedule = { timing: { cron, timeZone: "Europe/Berlin" } };
  expect([cronWords(schedule, { hours: 24 }), cronWords(schedule, { hours: 12 })]).toEqual([by24, by12]);
});

it("leaves alone what says it itself", () => {
  expect(cronWords({ timing: { everyMs: 60_000 } as never }, { hours: 24 })).toBeNull();
});
