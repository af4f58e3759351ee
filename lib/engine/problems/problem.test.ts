import { describe, expect, test } from "vitest";
import {
  type CountedFailure,
  judgeFailures,
  mayActOnProblem,
  type ProblemFacts,
  type ProblemState,
  type ProblemStatus,
} from "./problem";

const open: ProblemState = { status: "open", failures: 10, mutedToCount: null, resolvedAtMs: null, resolvedIn: null };
const resolved: ProblemState = { ...open, status: "resolved", resolvedAtMs: 1_000, resolvedIn: null };
const failure = (given: Partial<CountedFailure> = {}): CountedFailure => ({
  atMs: 2_000,
  version: 1,
  again: false,
  ...given,
});

describe("a problem that is resolved", () => {
  test("comes back with the next failure", () => {
    expect(judgeFailures(resolved, [failure()])).toEqual({ status: "open", cameBack: "resolved", muteEnded: false });
  });

  test("stays resolved for earlier failures", () => {
    expect(judgeFailures(resolved, [failure({ atMs: 1_000 })])).toMatchObject({ status: "resolved", cameBack: null });
  });

  test("stays resolved for versions older than the one with the fix", () => {
    const mended = { ...resolved, resolvedIn: 3 };
    expect(judgeFailures(mended, [failure({ version: 2, again: true })]).status).toBe("resolved");
    expect(judgeFailures(mended, [failure({ version: 2 }), failure({ version: 3 })]).status).toBe("open");
  });
});

describe("a problem that is muted", () => {
  const muted: ProblemState = { ...open, status: "muted" };

  test("stays muted, also when a repaired run fails again", () => {
    expect(judgeFailures(muted, [failure({ again: true })])).toEqual({
      status: "muted",
      cameBack: "rerun",
      muteEnded: false,
    });
  });

  test("is muted until it reaches the count", () => {
    const toTwelve = { ...muted, mutedToCount: 12 };
    expect(judgeFailures(toTwelve, [failure()]).status).toBe("muted");
    expect(judgeFailures(toTwelve, [failure(), failure()])).toMatchObject({ status: "open", muteEnded: true });
  });
});

test("an open problem comes back only when a repaired run fails again", () => {
  expect(judgeFailures(open, [failure()])).toEqual({ status: "open", cameBack: null, muteEnded: false });
  expect(judgeFailures(open, [failure(), failure({ again: true })]).cameBack).toBe("rerun");
});

test("actions without effect are closed, with a reason", () => {
  expect(mayActOnProblem("resolve", aProblem("resolved"))).toEqual({
    open: false,
    because: "The problem is already resolved.",
  });
  expect(mayActOnProblem("mute", aProblem("resolved")).open).toBe(false);
  expect(mayActOnProblem("mute", aProblem("muted")).open).toBe(true);
  expect(mayActOnProblem("reopen", aProblem("open")).open).toBe(false);
  expect(mayActOnProblem("note", aProblem("resolved")).open).toBe(true);
});
const aProblem = (status: ProblemStatus, given: Partial<ProblemFacts> = {}): ProblemFacts => ({
  kind: "failed",
  status,
  openRuns: 3,
  probing: false,
  watching: false,
  ...given,
});

test("may be probed while runs have it, one probe at a time, and only if a rerun answers the question", () => {
  const may = (given: Partial<ProblemFacts>) => mayActOnProblem("probe", aProblem("open", given)).open;
  expect(may({})).toBe(true);
  expect(may({ status: "muted" })).toBe(true);
  expect(may({ openRuns: 0 })).toBe(false);
  expect(may({ probing: true })).toBe(false);
  expect(may({ status: "resolved" })).toBe(false);
  expect(may({ kind: "outcome_unknown" })).toBe(false);
  expect(may({ kind: "undo_failed" })).toBe(false);
  expect(mayActOnProblem("stop_probe", aProblem("open", { probing: true })).open).toBe(true);
  expect(mayActOnProblem("stop_probe", aProblem("open")).open).toBe(false);
});
