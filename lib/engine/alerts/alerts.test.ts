import { describe, expect, it } from "vitest";
import { type AlertOptions, defineAlerts } from "./alert-rule";
import { conditionWords, readingWords, spanWords } from "./alert-words";
import { firingsOf, isMuted, mayNotify } from "./judge";
import { isWithin, type MuteWindow, muteWindowsText, parseMuteWindows } from "./mute-window";

const at = (instant: string) => Date.parse(instant);
const berlin = (given: Partial<MuteWindow> = {}): MuteWindow[] => [
  { days: [7], from: "01:00", to: "04:00", timeZone: "Europe/Berlin", ...given },
];

describe("mute windows", () => {
  it.each([
    // On 25 October 2026 Berlin's clocks show 02:00 to 03:00 twice: the window lasts four hours.
    ["before it", "2026-10-24T22:59:00Z", false],
    ["at its beginning", "2026-10-24T23:00:00Z", true],
    ["in the first 02:30", "2026-10-25T00:30:00Z", true],
    ["in the second 02:30", "2026-10-25T01:30:00Z", true],
    ["just before its end", "2026-10-25T02:59:00Z", true],
    ["at its end", "2026-10-25T03:00:00Z", false],
  ])("last an hour longer when clocks are put back: %s", (_, instant, muted) => {
    expect(isWithin(berlin(), at(instant))).toBe(muted);
  });

  it.each([
    // On 29 March 2026 they skip 02:00 to 03:00: the window lasts two hours.
    ["at its beginning", "2026-03-29T00:00:00Z", true],
    ["at 03:30, an hour and a half later", "2026-03-29T01:30:00Z", true],
    ["at its end", "2026-03-29T02:00:00Z", false],
  ])("last an hour less when clocks are put forward: %s", (_, instant, muted) => {
    expect(isWithin(berlin(), at(instant))).toBe(muted);
  });

  it("a window that begins and ends within the skipped hour is over before it began", () => {
    const skipped = berlin({ from: "02:10", to: "02:50" });
    for (const instant of ["2026-03-29T00:59:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z"])
      expect(isWithin(skipped, at(instant))).toBe(false);
  });

  it("over midnight it belongs to the day on which it began, from Sunday to Monday as well", () => {
    const night = berlin({ from: "22:00", to: "06:00" });
    expect(isWithin(night, at("2026-11-22T21:00:00Z"))).toBe(true);
    expect(isWithin(night, at("2026-11-23T04:59:00Z"))).toBe(true);
    expect(isWithin(night, at("2026-11-23T05:00:00Z"))).toBe(false);
    expect(isWithin(night, at("2026-11-22T04:00:00Z"))).toBe(false);
  });

  it("are written as people say them, and read again", () => {
    const text = "mon-fri 22:00-06:00 Europe/Berlin\nsun,sat 00:00-12:00 UTC";
    const windows = parseMuteWindows(text);
    expect(windows).toEqual([
      { days: [1, 2, 3, 4, 5], from: "22:00", to: "06:00", timeZone: "Europe/Berlin" },
      { days: [6, 7], from: "00:00", to: "12:00", timeZone: "UTC" },
    ]);
    expect(parseMuteWindows(muteWindowsText(windows as MuteWindow[]))).toEqual(windows);
    expect(parseMuteWindows("fri-mon 22:00-06:00 UTC")).toMatchObject([{ days: [1, 5, 6, 7] }]);
    expect(parseMuteWindows("weekdays at night")).toContain('"weekdays at night" is not read');
  });
});

describe("whether people are notified", () => {
  const rule = { muteWindows: [], mutedUntil: null, quietMs: 900_000, noticedAt: null };
  it("not while a person has muted it, and not within the quiet time", () => {
    expect(mayNotify(rule, 1_000)).toBe(true);
    expect(mayNotify({ ...rule, mutedUntil: 1_001 }, 1_000)).toBe(false);
    expect(mayNotify({ ...rule, noticedAt: 0 }, 899_999)).toBe(false);
    expect(mayNotify({ ...rule, noticedAt: 0 }, 900_000)).toBe(true);
    expect(isMuted({ ...rule, mutedUntil: 1_000 }, 1_000)).toBe(false);
  });
});

it("counts how often a history would have fired", () => {
  const rule = { kind: "failure_ratio" as const, threshold: 0.2, resolveThreshold: 0.1, forMs: 0, resolveForMs: 0 };
  const width = 900_000;
  expect(firingsOf(rule, [0.1, 0.5, 0.15, 0.5, 0.05, null, 0.3], width)).toBe(2);
  expect(firingsOf({ ...rule, resolveThreshold: 0.2 }, [0.1, 0.5, 0.15, 0.5, 0.05, null, 0.3], width)).toBe(3);
  expect(firingsOf({ ...rule, forMs: 1_000_000 }, [0.5, 0.1, 0.5, 0.5], width)).toBe(1);
  expect(firingsOf(rule, [], width)).toBe(0);
});

describe("a rule in code", () => {
  const define = (given: object) =>
    defineAlerts([{ name: "a", kind: "failure_ratio", threshold: 0.2, ...given } as AlertOptions]);
  it("has sensible numbers where it leaves them out", () => {
    expect(define({})).toMatchObject([
      { windowMs: 900_000, minCount: 10, forMs: 60_000, resolveThreshold: 0.2, severity: "critical", workflows: null },
    ]);
    expect(define({ kind: "backlog_age", threshold: 60_000 })).toMatchObject([{ windowMs: null, minCount: null }]);
  });

  it.each([
    [{ name: "Über" }, "cannot name an alert rule"],
    [{ kind: "weather" }, "kind is one of"],
    [{ threshold: 20 }, "a share from 0 to 1"],
    [{ threshold: Number.NaN }, "a share from 0 to 1"],
    [{ resolveThreshold: 0.3 }, "at most the threshold"],
    [{ kind: "live_workers", threshold: 2, resolveThreshold: 1 }, "at least the threshold"],
    [{ windowMs: 60_000 }, "windowMs is 5 or 15 minutes"],
    [{ minCount: 0 }, "minCount is a whole number"],
    [{ kind: "backlog_age", minCount: 3 }, "has no windowMs"],
    [{ forMs: -1 }, "forMs"],
    [{ workflows: [] }, "workflows names 1"],
    [{ together: true, workflows: ["w"] }, "name no workflows with it"],
    [{ runbook: "javascript:alert(1)" }, "begins with https://"],
    [{ muteWindows: berlin({ days: [0] }) }, "1 (Monday) to 7"],
    [{ muteWindows: berlin({ to: "24:00" }) }, "one time of day"],
    [{ muteWindows: berlin({ timeZone: "Mars" }) }, "is no time zone"],
  ])("is refused with what to write instead: %o", (given, says) => {
    expect(() => define(given)).toThrow(says);
  });

  it("has a name that no other one has", () => {
    const rule = { name: "a", kind: "backlog_age", threshold: 1_000 } as const;
    expect(() => defineAlerts([rule, rule])).toThrow('Two alert rules are named "a"');
  });
});

it("says what it sees and when it fires", () => {
  const numbers = { kind: "failure_ratio" as const, threshold: 0.2, windowMs: 900_000 };
  expect(readingWords({ ...numbers, value: 0.341, subject: "orders" })).toBe(
    "34 % of the runs of orders failed within 15 minutes (limit 20 %)",
  );
  expect(conditionWords({ ...numbers, minCount: 10, forMs: 120_000 })).toBe(
    "more than 20 % of the runs failed within 15 minutes (10 or more ended), for 2 minutes",
  );
  expect(readingWords({ kind: "live_workers", threshold: 1, windowMs: null, value: 0, subject: null })).toBe(
    "no worker is live (limit 1)",
  );
  expect([500, 90_000, 3_600_000, 5_400_000, 7_200_000].map(spanWords)).toEqual([
    "1 second",
    "90 seconds",
    "1 hour",
    "90 minutes",
    "2 hours",
  ]);
});
