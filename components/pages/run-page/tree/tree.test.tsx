import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { RootCause } from "@/components/domain/run-preview/root-cause";
import { aRun, at } from "@/components/testing/a-run";
import type { RunTally } from "@/lib/api/contract/run";
import type { RootCause as Cause } from "@/lib/api/contract/run-relatives";
import { Ancestors } from "./ancestors";
import { tallyWords } from "./child-tree";

const tally = (counts: Partial<RunTally["byStatus"]>, capped = false): RunTally => {
  const byStatus = { ...aRun().children.byStatus, ...counts };
  return { byStatus, total: Object.values(byStatus).reduce((sum, count) => sum + count, 0), capped };
};

describe("what is below a run, in words", () => {
  it("puts the worst first and what is done last", () => {
    expect(tallyWords(tally({ completed: 1_202, cancelled: 1, waiting: 2, failed: 1 }))).toBe(
      "1,206 runs: 1 failed, 2 waiting, 1,203 done",
    );
  });

  it("says that counting stopped", () => {
    expect(tallyWords(tally({ pending: 500 }, true))).toBe("more than 500 runs: of those 500 pending");
  });
});

const cause = (given: Partial<Cause> = {}): Cause => ({
  runId: "leaf",
  workflow: "order-fulfilment",
  status: "failed",
  attention: "failed",
  failedStep: "charge-payment",
  waitingStep: null,
  error: { name: "Error", message: "declined." },
  way: [{ runId: "leaf", workflow: "order-fulfilment", parentStep: "fulfil" }],
  ...given,
});

describe("the root cause", () => {
  it("is named with its step, its error and what its repair does", () => {
    render(<RootCause run={aRun({ status: "waiting", rootCause: cause() })} />);
    expect(screen.getByText("A child run failed")).toBeDefined();
    expect(screen.getByRole("link", { name: "order-fulfilment" }).getAttribute("href")).toBe("/runs/leaf");
    expect(document.body.textContent).toContain(
      "failed at charge-payment: declined. Repairing it lets this run continue.",
    );
    expect(screen.queryByRole("navigation")).toBeNull();
  });

  it("has its way where it lies deeper", () => {
    const way = ["region", "batch", "fulfil"].map((parentStep) => ({ runId: parentStep, workflow: "w", parentStep }));
    render(<RootCause run={aRun({ status: "waiting", rootCause: cause({ way }) })} />);
    const links = screen.getByRole("navigation", { name: "Path to the root cause" }).querySelectorAll("a");
    expect([...links].map((link) => link.textContent)).toEqual(["region", "batch", "fulfil"]);
  });

  it.each<[string, Partial<Cause>]>([
    ["A descendant run is paused", { status: "paused", attention: null, failedStep: null, error: null }],
    ["A descendant run has an unknown outcome", { status: "waiting", attention: "outcome_unknown", error: null }],
    ["A descendant run waits for an answer", { status: "waiting", attention: "approval", error: null }],
  ])("says: %s", (title, given) => {
    render(<RootCause run={aRun({ status: "waiting", rootCause: cause(given) })} />);
    expect(screen.getByText(title)).toBeDefined();
  });

  it("of a run that failed is to be repaired first", () => {
    const rootCause = cause({ status: "cancelled", attention: null, error: null });
    render(<RootCause run={aRun({ status: "failed", finishedAt: at(9), rootCause })} />);
    expect(document.body.textContent).toContain("was cancelled at charge-payment. Repair it first");
  });

  it("says where not everything was looked at", () => {
    render(<RootCause run={aRun({ status: "waiting", rootCauseCapped: true })} />);
    expect(screen.getByText("Too many descendants to search")).toBeDefined();
  });
});

describe("the way from the root", () => {
  const ancestors = (count: number, rootTags: Record<string, string> = {}) =>
    Array.from({ length: count }, (_, place) => ({
      runId: `r${place}`,
      parentRunId: place === 0 ? null : `r${place - 1}`,
      parentStep: place === 0 ? null : `s${place}`,
      workflow: "root-workflow",
      named: { runTitle: null, tags: place === 0 ? rootTags : {}, idempotencyKey: null },
      status: "waiting" as const,
    }));

  it("names the root by its workflow, everybody else by the step that started it", () => {
    render(<Ancestors run={aRun({ ancestors: ancestors(2), parentStep: "s2" })} />);
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Waitingroot-workflow",
      "Waitings1",
      "s2",
    ]);
  });

  it("names a root that has a name by it", () => {
    render(<Ancestors run={aRun({ ancestors: ancestors(1, { orderId: "A-17" }), parentStep: "s1" })} />);
    expect(screen.getByRole("link", { name: /A-17/ }).title).toBe("root-workflow · A-17");
  });

  it("folds the middle of a long way", () => {
    render(<Ancestors run={aRun({ ancestors: ancestors(9), parentStep: "s9" })} />);
    expect(screen.getByRole("button", { name: "5 more" })).toBeDefined();
    expect(screen.getAllByRole("link")).toHaveLength(4);
  });
});
