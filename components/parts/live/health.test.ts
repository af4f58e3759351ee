import { expect, it } from "vitest";
import { type HealthFacts, isCutOff, judgeHealth } from "./health";

const NOW = 1_000_000;
const fine: HealthFacts = {
  nowMs: NOW,
  hasData: true,
  offlineMs: null,
  paused: false,
  heardMs: NOW - 4_000,
  lostMs: null,
  answeredMs: NOW - 4_000,
  silent: false,
  waitingMs: null,
  failingMs: null,
  workerless: false,
};
const judged = (facts: Partial<HealthFacts>) => judgeHealth({ ...fine, ...facts });

it.each<[string, Partial<HealthFacts>, ReturnType<typeof judgeHealth>]>([
  ["data that is fresh is live", {}, { is: "live" }],
  ["what has no data yet is not", { hasData: false }, { is: "connecting" }],
  ["so is data of the last poll, where no heartbeats come", { heardMs: NOW - 15_000 }, { is: "live" }],
  ["a read that is on its way for long is slow", { waitingMs: NOW - 4_000 }, { is: "slow", sinceMs: NOW - 4_000 }],
  ["and stale after ten seconds", { waitingMs: NOW - 11_000 }, { is: "stale", sinceMs: NOW - 11_000 }],
  ["what cannot be read is as old as it is", { failingMs: NOW - 60_000 }, { is: "stale", sinceMs: NOW - 60_000 }],
  [
    "a database that is silent is named",
    { silent: true, answeredMs: NOW - 7_000, waitingMs: NOW - 6_000 },
    { is: "database", sinceMs: NOW - 7_000 },
  ],
  ["a console that restarts is not", { lostMs: NOW - 2_000 }, { is: "live" }],
  ["a console that gives no answer is", { lostMs: NOW - 4_000 }, { is: "console", sinceMs: NOW - 4_000 }],
  [
    "nor does one that is frozen, whatever the stream being open says",
    { heardMs: NOW - 21_000, silent: true },
    { is: "console", sinceMs: NOW - 21_000 },
  ],
  ["a network that is gone for a moment is not", { offlineMs: NOW - 2_000 }, { is: "live" }],
  [
    "a browser without a network says so",
    { offlineMs: NOW - 4_000, paused: true },
    { is: "offline", sinceMs: NOW - 4_000 },
  ],
  ["nothing is expected of a page that is paused", { paused: true, heardMs: NOW - 90_000 }, { is: "paused" }],
  ["fresh data of runs that nobody carries out", { workerless: true }, { is: "workerless" }],
])("%s", (_, facts, expected) => {
  expect(judged(facts)).toEqual(expected);
});

it("actions are sent wherever they can arrive", () => {
  expect(isCutOff(judged({ waitingMs: NOW - 60_000 }))).toBe(false);
  expect(isCutOff(judged({ silent: true }))).toBe(true);
});
