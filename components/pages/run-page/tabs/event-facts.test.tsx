import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aRun, aStep, at } from "@/components/testing/a-run";
import type { EventView, Step } from "@/lib/api/contract/run";
import { cameEarly, hasToDoWithEvents, openWaits } from "./event-facts";
import { EventItem } from "./event-item";

const wait = (event: string | null, seconds: number, key: string | null = null): NonNullable<Step["wait"]> => ({
  event,
  key,
  question: event === null ? "Ship it?" : null,
  choices: [],
  data: null,
  since: at(seconds),
});

const anEvent = (given: Partial<EventView> = {}): EventView => ({
  name: "parcel.returned",
  id: "scan-1",
  key: "P-1",
  payload: { parcelId: "P-1" },
  sentBy: null,
  sentAt: at(5),
  takenByStep: null,
  takenAt: null,
  repeats: 0,
  repeatedAt: null,
  ...given,
});

const run = aRun({
  steps: [
    aStep("later", 1, { kind: "event", status: "waiting", wait: wait("b", 20), nextAttemptAt: at(90) }),
    aStep("first", 2, { kind: "event", status: "waiting", wait: wait("a", 10, "P-1") }),
    aStep("over", 3, { kind: "event", status: "completed", wait: wait("parcel.returned", 6, "P-1") }),
    aStep("question", 4, { kind: "approval", status: "waiting", wait: wait(null, 1) }),
  ],
});

describe("what a run waits for", () => {
  it("is what its standing steps wait for, longest first; a question is none", () => {
    expect(openWaits(run)).toEqual([
      { step: "first", event: "a", key: "P-1", since: at(10), until: null },
      { step: "later", event: "b", key: null, since: at(20), until: at(90) },
    ]);
  });

  it("makes a run one that has to do with events, as does one that came or began it", () => {
    expect(hasToDoWithEvents(aRun())).toBe(false);
    expect(hasToDoWithEvents(run)).toBe(true);
    expect(hasToDoWithEvents(aRun({ events: [anEvent()] }))).toBe(true);
    expect(hasToDoWithEvents(aRun({ begunBy: { name: "a", id: "1", key: null } }))).toBe(true);
  });
});

describe("an event that came", () => {
  it("came early when it was there before its taker began to wait", () => {
    expect(cameEarly(run, anEvent({ takenByStep: "over" }))).toBe(true);
    expect(cameEarly(run, anEvent({ takenByStep: "over", sentAt: at(7) }))).toBe(false);
    expect(cameEarly(run, anEvent())).toBe(false);
  });

  it("says who sent it, its result and how often it was sent again", () => {
    render(<EventItem run={run} event={anEvent({ sentBy: "operator", repeats: 2, repeatedAt: at(9) })} />);
    const item = within(screen.getByRole("listitem"));
    expect(item.getByText("not received yet")).toBeDefined();
    expect(screen.getByRole("listitem").textContent).toContain("by operator");
    expect(screen.getByRole("listitem").textContent).toContain("2 times with this id and refused");
  });

  it("is never taken any more by a run that has ended", () => {
    render(<EventItem run={aRun({ finishedAt: at(60) })} event={anEvent()} />);
    expect(screen.getByText("never received")).toBeDefined();
  });
});
