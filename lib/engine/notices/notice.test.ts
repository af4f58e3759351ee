import { describe, expect, it } from "vitest";
import { noticeFacts } from "../../testing/rows/notice-facts";
import { messageOf, retryAfter } from "./delivery";
import { eventOf, type NoticeFacts, plainName, sentenceOf, shareOut, wants } from "./notice";

describe("a sentence", () => {
  const failed = { problemKind: "failed", errorName: "ServiceUnavailable", openRuns: 12 } as const;
  it.each<[Partial<NoticeFacts>, string]>([
    [failed, "order-fulfilment fails at charge-payment: ServiceUnavailable (12 runs)"],
    [{ ...failed, openRuns: 1, step: null }, "order-fulfilment fails: ServiceUnavailable (1 run)"],
    [
      { ...failed, kind: "problem.came_back" },
      "order-fulfilment fails again at charge-payment: ServiceUnavailable (12 runs)",
    ],
    [{ ...failed, problemKind: "outcome_unknown" }, "order-fulfilment: unknown outcome at charge-payment (12 runs)"],
    [
      { ...failed, problemKind: "undo_failed" },
      "order-fulfilment: compensation fails at charge-payment: ServiceUnavailable (12 runs)",
    ],
    [{ kind: "compensation.owed" }, "order-fulfilment: charge-payment must be compensated manually"],
    [
      { kind: "compensation.failed" },
      "order-fulfilment: the compensation of charge-payment failed and needs manual action",
    ],
    [{ kind: "approval.waiting" }, "order-fulfilment waits for an answer at charge-payment"],
    [
      { kind: "plan.waiting", by: "mia", act: "start_again", runs: 3, workflows: ["a", "b", "c"] },
      "mia asks for a second approver: start again of 3 runs of a and 2 more",
    ],
    [
      { kind: "operation.paused", act: "rerun", runs: 412 },
      "An operation paused itself: rerun of 412 runs of order-fulfilment",
    ],
    [{ kind: "destination.switched_off", name: "Ops" }, "Nothing reaches Ops: it was switched off"],
  ])("of %o", (given, expected) => expect(sentenceOf(noticeFacts(given))).toBe(expected));

  it("stays short and on one line, whatever the step's name", () => {
    expect(plainName("a\r\nBcc: b@example.com\u2028c\u202e\0d")).toBe("a Bcc: b@example.com c d");
    expect(plainName("x".repeat(500))).toHaveLength(80);
    expect(plainName(`${"x".repeat(78)}😀😀`).isWellFormed()).toBe(true);
  });
});

it("links to the page where a person can act on it", () => {
  const urlOf = (given: Partial<NoticeFacts>) =>
    (messageOf([eventOf(noticeFacts(given))], 1, "https://h.example").data as { url: string }).url;
  expect(urlOf({ problemId: "p" })).toBe("https://h.example/problems/p");
  expect(urlOf({ kind: "compensation.owed", runId: "r" })).toBe("https://h.example/runs/r");
  expect(urlOf({ kind: "approval.waiting", runId: "r" })).toBe("https://h.example/approvals");
  expect(urlOf({ kind: "plan.waiting", planId: "p" })).toBe("https://h.example/approvals");
  expect(urlOf({ kind: "operation.paused", operationId: "o" })).toBe("https://h.example/operations/o");
  expect(urlOf({ kind: "destination.switched_off", destinationId: "d" })).toBe("https://h.example/settings");
});

describe("a destination", () => {
  it("gets the events it subscribes to, of its workflows or of none in particular", () => {
    const notice = { kind: "problem.opened" as const, workflows: ["a", "b"], problemKind: null };
    expect(wants({ kind: "webhook", events: ["problem.opened"], workflows: null }, notice)).toBe(true);
    expect(wants({ kind: "webhook", events: ["problem.opened"], workflows: ["b"] }, notice)).toBe(true);
    expect(wants({ kind: "webhook", events: ["problem.opened"], workflows: ["c"] }, notice)).toBe(false);
    expect(wants({ kind: "webhook", events: ["problem.opened"], workflows: ["c"] }, { ...notice, workflows: [] })).toBe(
      true,
    );
    expect(wants({ kind: "webhook", events: ["plan.waiting"], workflows: null }, notice)).toBe(false);
    const undo = { ...notice, problemKind: "undo_failed" as const };
    expect(wants({ kind: "webhook", events: ["problem.opened"], workflows: null }, undo)).toBe(true);
    expect(wants({ kind: "webhook", events: ["problem.opened", "compensation.failed"], workflows: null }, undo)).toBe(
      false,
    );
  });

  it("gets as many messages as its limit allows, and the rest in one", () => {
    expect(shareOut([1, 2, 3], 3, false)).toEqual({ alone: [1, 2, 3], together: [], held: false });
    expect(shareOut([1, 2, 3, 4], 3, false)).toEqual({ alone: [1, 2], together: [3, 4], held: false });
    expect(shareOut([1, 2], 1, false)).toEqual({ alone: [], together: [1, 2], held: false });
    expect(shareOut([1], 0, false)).toEqual({ alone: [], together: [1], held: true });
    expect(shareOut([1], 5, true)).toEqual({ alone: [], together: [1], held: true });
  });
});

it("backs off, honours the delay that a destination requests, and gives up in the end", () => {
  expect(retryAfter(1, 0, 0)).toBe(5_000);
  expect(retryAfter(1, 0, 1)).toBe(5_500);
  expect(retryAfter(1, 60_000, 0)).toBe(60_000);
  expect(retryAfter(1, 1e12, 0)).toBe(43_200_000);
  expect(retryAfter(8, 0, 0)).toBe(43_200_000);
  expect(retryAfter(9, 0, 0)).toBeNull();
});
