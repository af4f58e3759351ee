import { describe, expect, it } from "vitest";
import { anAttempt, anUndo, aRerun, aRun, aStep, at } from "@/components/testing/a-run";
import { itemsOf, type Sight } from "../timeline/items";
import { lanesOf as drawn } from "./lanes";
import { ticksOf } from "./ticks";
import { timeScale } from "./time-scale";

const EVERYTHING: Sight = { window: null, find: "", only: [], lanes: [], loops: [] };
const NOW = Date.parse(at(100));
const lanesOf = (given: Parameters<typeof aRun>[0]) => drawn(aRun(given), NOW);
const kindsOf = (given: Parameters<typeof aStep>[2]) =>
  lanesOf({ steps: [aStep("charge", 1, given)] })[0]?.rows[0]?.segments.map(({ kind }) => kind);

describe("the segments of a step", () => {
  it("tells queued, executing and backing off apart, and keeps each attempt", () => {
    expect(
      kindsOf({
        status: "failed",
        attempts: [anAttempt(1, "failed", 1, 2), anAttempt(2, "failed", 4, 5), anAttempt(3, "failed", 9, 10)],
      }),
    ).toEqual(["queued", "retried", "backoff", "retried", "backoff", "failed"]);
  });

  it("is red only where the step is still failed: a rerun took the last attempt's sting", () => {
    expect(kindsOf({ status: "failed", supersededBy: 2, attempts: [anAttempt(1, "failed", 1, 2)] })).toEqual([
      "queued",
      "retried",
    ]);
  });

  it("backs off until now while the next attempt is to come", () => {
    const lanes = lanesOf({
      steps: [aStep("charge", 1, { status: "waiting", finishedAt: null, attempts: [anAttempt(1, "failed", 1, 2)] })],
    });
    expect(lanes[0]?.rows[0]?.segments.at(-1)).toMatchObject({ kind: "backoff", to: NOW });
  });

  it("is queued until now while it waits for its first permit", () => {
    const step = aStep("charge", 1, { status: "waiting", attempt: 0, finishedAt: null, attempts: [] });
    const [lane] = lanesOf({ steps: [step] });
    expect(lane?.rows[0]?.segments.at(-1)).toMatchObject({
      ...{ kind: "queued", from: Date.parse(at(1)), to: NOW },
      text: "waiting for a permit",
    });
  });

  it("waits for a person from the moment the worker was found lost", () => {
    const step = aStep("charge", 1, {
      status: "unknown",
      finishedAt: null,
      attempts: [anAttempt(1, "unknown", 1, null)],
    });
    const [lane] = lanesOf({ steps: [step], lostClaims: [{ workerId: "1", at: at(7) }] });
    expect(lane?.rows[0]?.segments.slice(1)).toMatchObject([
      { kind: "unknown", from: Date.parse(at(1)), to: Date.parse(at(7)) },
      { kind: "owed", from: Date.parse(at(7)), to: NOW },
    ]);
  });

  it("shows an outcome that a person gave", () => {
    expect(kindsOf({ finishedAt: at(60), attempts: [anAttempt(1, "unknown", 1, 2)] })).toEqual([
      "queued",
      "unknown",
      "owed",
      "given",
    ]);
    expect(kindsOf({ attempts: [], finishedAt: at(60) })).toEqual(["queued", "given"]);
  });

  it("queues again after an attempt that was handed back", () => {
    expect(kindsOf({ attempts: [anAttempt(1, "interrupted", 1, 2), anAttempt(2, "completed", 5, 6)] })).toEqual([
      "queued",
      "interrupted",
      "queued",
      "completed",
    ]);
  });

  it("draws a sleep as a wait, running or done", () => {
    expect(kindsOf({ kind: "sleep", status: "waiting", finishedAt: null, attempts: [] })).toEqual([
      "queued",
      "waiting",
    ]);
  });

  it("says each bar in words", () => {
    const texts = lanesOf({
      steps: [aStep("charge", 1, { attempts: [anAttempt(1, "failed", 1, 2.4), anAttempt(2, "completed", 5, 6)] })],
    })[0]?.rows[0]?.segments.map(({ text }) => text);
    expect(texts).toEqual([
      "queued 1 s",
      "attempt 1 of 4 failed, 1.4 s: connect ECONNREFUSED",
      "backing off 2.6 s",
      "attempt 2 of 4 completed, 1 s",
    ]);
  });
});

describe("lanes", () => {
  it("opens one per generation, with who, why and what was kept", () => {
    const steps = [
      aStep("create-order", 0),
      aStep("charge", 1, { status: "failed", supersededBy: 2, attempts: [anAttempt(1, "failed", 1, 2)] }),
      aStep("charge", 1, { generation: 2, attempts: [anAttempt(1, "completed", 42, 43)] }),
      aStep("reserve", 2, { generation: 2, attempts: [anAttempt(1, "completed", 43, 44)] }),
    ];
    const lanes = lanesOf({ generation: 2, steps, audit: [aRerun(2, 40)] });
    expect(lanes).toHaveLength(2);
    expect(lanes[0]?.rows.map(({ step }) => step.name)).toEqual(["create-order", "charge"]);
    expect(lanes[1]).toMatchObject({
      kind: "rerun",
      opened: { reason: "gateway is back" },
      startMs: Date.parse(at(40)),
    });
    expect(lanes[1]?.kept).toEqual({ count: 1, first: "create-order" });
    expect(lanes[1]?.rows.map(({ step }) => step.name)).toEqual(["charge", "reserve"]);
    expect(lanes[1]?.rows[0]?.segments[0]).toMatchObject({ kind: "queued", from: Date.parse(at(40)) });
  });

  it("shows a lane in which nothing has begun yet", () => {
    const lanes = lanesOf({ generation: 2, steps: [aStep("a", 0, { supersededBy: 2 })], audit: [aRerun(2, 40)] });
    expect(lanes[1]).toMatchObject({ rows: [], kept: null });
  });

  it("compensates in a separate lane, last step first", () => {
    const owed = { owedAt: at(20) } as const;
    const lanes = lanesOf({
      status: "compensating",
      steps: [
        aStep("create-order", 0, { compensation: anUndo({ ...owed, mode: "automatic", status: "owed" }) }),
        aStep("charge", 1, { compensation: anUndo({ ...owed, mode: "automatic", status: "failed" }) }),
        aStep("mail", 2, {
          compensation: anUndo({ ...owed, mode: "manual", status: "completed", by: "operator", finishedAt: at(30) }),
        }),
      ],
    });
    const undo = lanes.at(-1);
    expect(undo?.kind).toBe("undo");
    expect(undo?.rows.map(({ step, segments }) => [step.name, segments[0]?.kind])).toEqual([
      ["mail", "given"],
      ["charge", "owed"],
      ["create-order", "queued"],
    ]);
  });

  it("lists ten thousand steps", () => {
    const steps = Array.from({ length: 10_000 }, (_, index) => aStep(`step-${index}`, index));
    expect(itemsOf(lanesOf({ steps }), { ...EVERYTHING, loops: ["1 step-…"] }, null)).toHaveLength(10_002);
  });
});

describe("the scale", () => {
  const seconds = (from: number, to: number) => ({ from: from * 1_000, to: to * 1_000 });
  const DAY = 86_400;

  it("is linear where nothing is folded", () => {
    const scale = timeScale(seconds(0, 20), [seconds(0, 5), seconds(13, 20)]);
    expect(scale.folds).toEqual([]);
    expect(scale.place(10_000)).toBeCloseTo(0.5);
    expect(ticksOf(scale, { from: 0 }).map(({ text }) => text)).toEqual(["0", "5 s", "10 s", "15 s", "20 s"]);
  });

  it("folds three days of sleep, so that two seconds of work can be seen", () => {
    const scale = timeScale(seconds(0, 3 * DAY + 4), [seconds(0, 2), seconds(3 * DAY + 2, 3 * DAY + 4)]);
    expect(scale.folds.map(({ from, to }) => to - from)).toEqual([3 * DAY * 1_000]);
    expect(scale.place(2_000) - scale.place(0)).toBeGreaterThan(0.4);
    expect(scale.place((3 * DAY + 4) * 1_000)).toBeCloseTo(1);
    expect(ticksOf(scale, { from: 0 }).at(-1)?.text).toContain("3 d");
  });

  it("leaves short waits unfolded, whatever their share: their width tells how the delay grew", () => {
    expect(timeScale(seconds(0, 20), [seconds(0, 0.01), seconds(19.99, 20)]).folds).toEqual([]);
  });

  it("stays stable where there is no time at all, or nothing but sleep", () => {
    expect(timeScale(seconds(5, 5), []).place(5_000)).toBe(0);
    expect(timeScale(seconds(0, DAY), []).folds).toMatchObject([{ at: 0, width: 1 }]);
  });

  it("never runs backwards", () => {
    const scale = timeScale(seconds(0, 5 * DAY), [seconds(0, 1), seconds(DAY, DAY + 2), seconds(4 * DAY, 4 * DAY + 1)]);
    const places = Array.from({ length: 500 }, (_, index) => scale.place((index / 499) * 5 * DAY * 1_000));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places.at(-1)).toBeCloseTo(1);
  });
});
