import fc from "fast-check";
import { expect, test } from "vitest";
import { countsBy, type Membership, ProblemTally } from "./problem-tally";

const fell = (problemId: string, exhausted = false) => ({
  problemId,
  kind: "failed" as const,
  version: 1,
  step: "charge",
  error: "{}",
  exhausted,
});

test("a run that fails, is repaired and fails alike again counts two failures and one open run", () => {
  const tally = new ProblemTally(new Map());
  tally.add({ runId: "a", atMs: 1, fell: fell("p", true) });
  tally.add({ runId: "a", atMs: 2, fell: null });
  tally.add({ runId: "a", atMs: 3, fell: fell("p") });
  const change = tally.changes.get("p");
  expect(change?.failures.map(({ again }) => again)).toEqual([false, true]);
  expect(change).toMatchObject({ openRuns: 1, exhausted: 1, newest: { runId: "a", atMs: 3 } });
  expect(tally.memberships.get("a")).toEqual({ problemId: "p", sinceMs: 3, leftMs: null });
});

test("a problem takes a run from another one that still has it", () => {
  const tally = new ProblemTally(new Map([["a", { problemId: "p", sinceMs: 1, leftMs: null }]]));
  tally.add({ runId: "a", atMs: 2, fell: fell("q") });
  expect([tally.changes.get("p")?.openRuns, tally.changes.get("q")?.openRuns]).toEqual([-1, 1]);
  expect(tally.changes.get("q")?.failures[0]?.again).toBe(false);
});

test("a run that its problem still has, left, or was never held, changes nothing", () => {
  const held: Membership = { problemId: "p", sinceMs: 1, leftMs: null };
  const tally = new ProblemTally(
    new Map([
      ["a", { ...held, leftMs: 2 }],
      ["c", held],
    ]),
  );
  tally.add({ runId: "c", atMs: 3, fell: fell("p") });
  expect(tally.memberships.get("c")).toEqual(held);
  tally.add({ runId: "a", atMs: 3, fell: null });
  tally.add({ runId: "b", atMs: 3, fell: null });
  expect(tally.changes.size).toBe(0);
});

test("problems hold their failing runs, however the sequence is cut into batches", () => {
  const trouble = fc.record({
    runId: fc.constantFrom("a", "b", "c"),
    problem: fc.option(fc.constantFrom("p", "q")),
    cut: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(trouble, { maxLength: 40 }), (troubles) => {
      const open: Record<string, number> = { p: 0, q: 0 };
      const ill = new Map<string, string | null>();
      let before = new Map<string, Membership>();
      let tally = new ProblemTally(before);
      const fold = () => {
        for (const [id, { openRuns }] of tally.changes) open[id] = (open[id] ?? 0) + openRuns;
        before = tally.memberships;
        tally = new ProblemTally(before);
      };
      for (const [atMs, { runId, problem, cut }] of troubles.entries()) {
        ill.set(runId, problem);
        tally.add({ runId, atMs, fell: problem ? fell(problem) : null });
        if (cut) fold();
      }
      fold();
      for (const id of ["p", "q"]) expect(open[id]).toBe([...ill.values()].filter((of) => of === id).length);
    }),
  );
});

test("failures are counted by their minute and their hour", () => {
  const failures = [0, 59_999, 60_000, 3_600_000].map((atMs) => ({ atMs, version: 1, again: false }));
  expect([...countsBy(1, failures)]).toEqual([
    [0, 2],
    [60_000, 1],
    [3_600_000, 1],
  ]);
  expect([...countsBy(60, failures)]).toEqual([
    [0, 3],
    [3_600_000, 1],
  ]);
});
