import { expect, it } from "vitest";
import { decideOverlap, MAX_FIRINGS_PER_ROUND, planFirings } from "./firing-plan";
import type { ScheduleSpec } from "./schedule";

const HOUR = 3_600_000;
const at = (text: string) => new Date(`2026-06-01T${text}Z`);
const hourly: ScheduleSpec = {
  timing: { everyMs: HOUR },
  input: "{}",
  overlap: "allow",
  missed: "last",
  missedWindowMs: 3 * HOUR,
};

it("fires due times, and plans the next", () => {
  expect(planFirings(hourly, at("12:00"), at("12:00:00.020"))).toEqual({
    fire: [at("12:00")],
    leftOut: null,
    next: at("13:00"),
  });
});

it("fires nothing early", () => {
  expect(planFirings(hourly, at("12:00"), at("11:59:59.999"))).toEqual({ fire: [], leftOut: null, next: at("12:00") });
});

it('of missed times, "last" fires only the last one', () => {
  expect(planFirings(hourly, at("06:00"), at("12:30"))).toEqual({
    fire: [at("12:00")],
    leftOut: { from: at("06:00"), to: at("11:00") },
    next: at("13:00"),
  });
});

it('of missed times, "skip" fires only one within the last minute', () => {
  const skip = { ...hourly, missed: "skip" } as const;
  expect(planFirings(skip, at("06:00"), at("12:30"))).toEqual({
    fire: [],
    leftOut: { from: at("06:00"), to: at("12:00") },
    next: at("13:00"),
  });
  expect(planFirings(skip, at("06:00"), at("12:00:40"))).toMatchObject({ fire: [at("12:00")] });
});

it('of missed times, "all" fires every one within its window', () => {
  const all = { ...hourly, missed: "all" } as const;
  expect(planFirings(all, at("06:00"), at("12:30"))).toEqual({
    fire: [at("10:00"), at("11:00"), at("12:00")],
    leftOut: { from: at("06:00"), to: at("09:00") },
    next: at("13:00"),
  });
});

it("many missed times are fired in rounds", () => {
  const all = { ...hourly, timing: { everyMs: 1_000 }, missed: "all" } as const;
  const { fire, next } = planFirings(all, at("12:00:00"), at("12:10:00"));
  expect(fire).toHaveLength(MAX_FIRINGS_PER_ROUND);
  expect(next).toEqual(at("12:01:40"));
});

it.each([
  ["allow", true, false, "start"],
  ["skip", false, false, "start"],
  ["skip", true, false, "skip"],
  ["queue", true, false, "queue"],
  ["queue", true, true, "skip"],
  ["queue", false, true, "skip"],
  ["cancel", true, false, "queue"],
  ["cancel", true, true, "replace"],
] as const)("%s, with an active run: %s, with one queued: %s, decides to %s", (overlap, active, queued, decision) => {
  expect(decideOverlap(overlap, active, queued)).toBe(decision);
});
