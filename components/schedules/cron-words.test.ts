import { expect, it } from "vitest";
import { cronWords } from "./cron-words";

it.each([
  ["0 3 * * *", "At 03:00"],
  ["*/5 * * * *", "Every 5 minutes"],
  ["30 6 * * 1-5", "At 06:30, Monday through Friday"],
])("%s", (cron, words) => {
  expect(cronWords({ timing: { cron, timeZone: "Europe/Berlin" } })).toBe(words);
});

it("leaves alone what says it itself", () => {
  expect(cronWords({ timing: { everyMs: 60_000 } as never })).toBeNull();
});
