import { readFileSync } from "node:fs";
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aRun, aStep, at } from "@/components/testing/a-run";
import type { Run } from "@/lib/api/contract/run";
import { WAIT_KINDS } from "@/lib/engine/runs/run";
import { REASON_KINDS, REASONS, type ReasonKind, reasonOf, waitReasons } from "./wait-reasons";
import { WhyItWaits } from "./why-it-waits";

type Wait = NonNullable<Run["waitingFor"]>;
const waiting = (kind: Wait["kind"], until: string | null = null): Partial<Run> => ({
  status: "waiting",
  waitingFor: { kind, step: "s", since: at(1), until },
});
const queue: NonNullable<Run["queue"]> = {
  ...{ key: "", heldBy: "concurrency", holding: 2, totalHolding: 2, concurrency: 2, rate: null },
  ...{ total: null, totalRate: null, window: null, ahead: 3, opensAt: null },
};
const owner = (status: "lost" | "stopping") => ({ name: "w", status, leaseExpiresAt: at(30) });

/** A run that waits for each reason there is. */
const CASES: Record<ReasonKind, Partial<Run>> = {
  no_worker: { status: "pending", workerAvailable: false },
  no_worker_of_version: { status: "pending", workerAvailable: false, chosenVersion: 2 },
  missing_key: { status: "waiting", missingKey: "2026-10" },
  silent_worker: { status: "running", owner: owner("lost") },
  stopping_worker: { status: "running", owner: owner("stopping") },
  intake: { status: "pending", heldBy: { holds: "new", closedBy: "mia", reason: "bad deploy", closedAt: at(1) } },
  queue: { status: "pending", queue },
  timer: waiting("timer", at(9)),
  retry: waiting("retry", at(9)),
  event: waiting("event"),
  child: waiting("child"),
  slot: waiting("slot"),
  permit: waiting("permit", at(9)),
  blob: waiting("blob", at(9)),
  approval: waiting("approval"),
  operator: waiting("operator"),
  undo: { ...waiting("operator"), status: "compensating" },
  operation: { ...waiting("event"), workflow: "handrail.operation", input: { operationId: "op-1" } },
  later: { status: "pending", runAt: at(99) },
  free_worker: { status: "pending" },
  cancelling: { status: "running", cancelRequestedAt: at(2) },
  pausing: { status: "running", pauseRequestedAt: at(2) },
  paused: { status: "paused", pauseRequestedAt: at(2) },
};

describe("why a run waits", () => {
  it.each(REASON_KINDS)("%s", (kind) => {
    const run = aRun({
      ...CASES[kind],
      steps: [
        aStep("s", 1, { status: "waiting", attempt: 2, reference: "child-1", error: { name: "E", message: "no" } }),
      ],
      acts: [
        { act: "wake", open: false, because: "Not yours." },
        ...(["answer", "settle", "send_event", "resume", "move", "mark_compensated"] as const).map((act) => ({
          act,
          open: true,
          because: null,
        })),
      ],
    });
    expect(waitReasons(run).map((reason) => reason.kind)).toEqual([kind]);
    render(<WhyItWaits run={run} />);
    const { title, moves, act, link } = reasonOf(kind);
    expect(screen.getByText(title)).toBeDefined();
    expect(document.body.textContent).toContain(moves);
    if (act)
      expect(screen.getByRole("button", { name: act.label }).getAttribute("aria-disabled")).toBe(
        act.act === "wake" ? "true" : null,
      );
    if (link) expect(screen.getByRole("link", { name: link.text }).getAttribute("href")).toBe(link.to(run));
  });

  it("has a reason for every kind of wait there is", () => {
    expect(REASON_KINDS).toEqual(expect.arrayContaining([...WAIT_KINDS]));
  });

  it.each<[string, Partial<Run>]>([
    ["ended", { status: "completed" }],
    ["failed", { status: "failed", workerAvailable: false }],
    ["moves", { status: "running" }],
  ])("says nothing of a run that %s", (_, given) => expect(waitReasons(aRun(given))).toEqual([]));

  it("names what bars it first, and everything else after", () => {
    const run = aRun({
      ...CASES.timer,
      ...CASES.intake,
      ...waiting("timer"),
      workerAvailable: false,
      cancelRequestedAt: at(2),
    });
    expect(waitReasons(run).map(({ kind }) => kind)).toEqual(["no_worker", "intake", "timer", "cancelling"]);
  });

  it("leads to the child, and to the operation", () => {
    const steps = [aStep("s", 1, { kind: "child", status: "waiting", reference: "child-1" })];
    expect(REASONS.child.link.to(aRun({ ...waiting("child"), steps }))).toBe("/runs/child-1");
    expect(REASONS.operation.link.to(aRun(CASES.operation))).toBe("/operations/op-1");
  });

  it("says which other steps wait beside it", () => {
    const steps = ["s", "b", "c", "d", "e"].map((name, index) => aStep(name, index, { status: "waiting" }));
    render(<WhyItWaits run={aRun({ ...waiting("timer"), steps })} />);
    expect(screen.getByText(/Also waiting/).textContent).toBe("Also waiting: b, c, d and 1 more.");
  });

  it("appears in the docs as it is here", () => {
    const page = readFileSync("docs/console/run-page.md", "utf8");
    for (const kind of REASON_KINDS) expect(page).toContain(`| ${reasonOf(kind).title} | ${reasonOf(kind).moves} |`);
  });
});
