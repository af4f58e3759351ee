import { describe, expect, it } from "vitest";
import { anAttempt, anUndo, aRerun, aRun, aStep, at } from "@/components/testing/a-run";
import { lanesOf } from "../lanes/lanes";
import { momentsOf, placeOf } from "./moments";
import { runAt } from "./run-at";

const seconds = (of: number) => Date.parse(at(of));

const failed = aStep("charge", 1, {
  status: "failed",
  supersededBy: 2,
  error: { name: "GatewayUnavailable", message: "connect ECONNREFUSED" },
  startedAt: at(5),
  finishedAt: at(6),
  attempts: [anAttempt(1, "failed", 1, 2), anAttempt(2, "failed", 5, 6)],
});
const again = aStep("charge", 1, {
  generation: 2,
  startedAt: at(42),
  finishedAt: at(43),
  attempts: [anAttempt(1, "completed", 42, 43)],
});
const repaired = aRun({
  generation: 2,
  startedAt: at(0.5),
  finishedAt: at(43),
  steps: [
    aStep("create-order", 0, { attempts: [anAttempt(1, "completed", 0.6, 1)], finishedAt: at(1) }),
    failed,
    again,
  ],
  audit: [aRerun(2, 40)],
});

const stateAt = (run: ReturnType<typeof aRun>, second: number) =>
  runAt(run, seconds(second)).steps.map(({ name, generation, status }) => `${generation} ${name} ${status}`);

describe("the moments of a run", () => {
  it("are everything that its records say happened, in order and in words", () => {
    const words = momentsOf(repaired).map(({ atMs, happenings }) => [
      (atMs - seconds(0)) / 1_000,
      happenings.map(({ text, step }) => (step ? `${step.name}: ${text}` : text)).join("; "),
    ]);
    expect(words).toEqual([
      [0, "The run was created"],
      [0.5, "A worker claimed the run for the first time"],
      [0.6, "create-order: attempt 1 of 4 began"],
      [1, "create-order: attempt 1 of 4 completed after 400 ms; charge: attempt 1 of 4 began"],
      [2, "charge: attempt 1 of 4 failed after 1 s: connect ECONNREFUSED"],
      [5, "charge: attempt 2 of 4 began"],
      [6, "charge: attempt 2 of 4 failed after 1 s: connect ECONNREFUSED"],
      [40, "operator reran the run: “gateway is back”"],
      [42, "charge: attempt 1 of 4 began"],
      [43, "The run ended: completed; charge: attempt 1 of 4 completed after 1 s"],
    ]);
  });

  it("are found by an instant: the last that had come by then", () => {
    const moments = momentsOf(repaired);
    expect([-5, 0, 0.55, 2, 900].map((second) => placeOf(moments, seconds(second)))).toEqual([0, 0, 1, 4, 9]);
  });

  it("name what a step waited for, what a person said of it, and its compensation", () => {
    const steps = [
      aStep("nap", 0, { kind: "sleep", attempts: [], startedAt: at(1), finishedAt: at(2) }),
      aStep("charge", 1, { attempts: [anAttempt(1, "unknown", 3, 4)], finishedAt: at(9) }),
      aStep("ship", 2, {
        attempts: [anAttempt(1, "completed", 10, 11)],
        finishedAt: at(11),
        compensation: anUndo({ status: "waived", owedAt: at(20), finishedAt: at(30) }),
      }),
    ];
    const words = momentsOf(aRun({ steps, lostClaims: [{ workerId: "3", at: at(5) }] })).flatMap(({ happenings }) =>
      happenings.map(({ text, step }) => (step ? `${step.name} ${text}` : text)),
    );
    expect(words).toEqual(
      expect.arrayContaining([
        "nap fell asleep",
        "nap completed",
        "charge attempt 1 of 4 unknown after 1 s",
        "Worker 3 was found lost",
        "charge completed",
        "ship is to be compensated",
        "ship needs no compensation: waived",
      ]),
    );
    expect(words.filter((text) => text.startsWith("ship attempt"))).toHaveLength(2);
  });
});

describe("a run as it was", () => {
  it("has what had begun, running until its end, and waiting between attempts", () => {
    expect(stateAt(repaired, 0.1)).toEqual([]);
    expect(stateAt(repaired, 0.7)).toEqual(["1 create-order running"]);
    expect(stateAt(repaired, 1.5)).toEqual(["1 create-order completed", "1 charge running"]);
    expect(stateAt(repaired, 3)).toEqual(["1 create-order completed", "1 charge waiting"]);
    expect(stateAt(repaired, 6)).toEqual(["1 create-order completed", "1 charge failed"]);
    expect(stateAt(repaired, 43)).toEqual(["1 create-order completed", "1 charge failed", "2 charge completed"]);
  });

  it("is not superseded before its rerun, and has its lane from then on", () => {
    const before = runAt(repaired, seconds(39));
    expect(before.steps.find(({ name }) => name === "charge")?.supersededBy).toBeNull();
    expect(lanesOf(before, seconds(39)).map(({ key }) => key)).toEqual(["1"]);
    const after = runAt(repaired, seconds(41));
    expect(after.steps.find(({ name }) => name === "charge")?.supersededBy).toBe(2);
    expect(lanesOf(after, seconds(41)).map(({ key }) => key)).toEqual(["1", "2"]);
  });

  it("began its last attempt when it did, so that what is measured from there is in its place", () => {
    const charge = runAt(repaired, seconds(3)).steps.find(({ name }) => name === "charge");
    expect([charge?.startedAt, charge?.attempt]).toEqual([at(1), 1]);
  });

  it("draws no bar beyond the instant", () => {
    for (const second of [0, 1.2, 3, 5.5, 41, 42.5]) {
      const lanes = lanesOf(runAt(repaired, seconds(second)), seconds(second));
      for (const { to } of lanes.flatMap(({ rows }) => rows.flatMap(({ segments }) => segments)))
        expect(to).toBeLessThanOrEqual(seconds(second));
    }
  });

  it("shows an attempt whose worker was lost as running until that was found", () => {
    const step = aStep("charge", 1, {
      status: "unknown",
      finishedAt: null,
      attempts: [anAttempt(1, "unknown", 1, null)],
    });
    const run = aRun({ steps: [step], lostClaims: [{ workerId: "1", at: at(7) }] });
    expect(stateAt(run, 6)).toEqual(["1 charge running"]);
    expect(stateAt(run, 7)).toEqual(["1 charge unknown"]);
  });

  it("had nothing to compensate before it was due", () => {
    const ship = aStep("ship", 1, {
      compensation: anUndo({ status: "completed", owedAt: at(20), finishedAt: at(30) }),
    });
    const statusAt = (second: number) => runAt(aRun({ steps: [ship] }), seconds(second)).steps[0]?.compensation.status;
    expect([10, 25, 30].map(statusAt)).toEqual(["none", "owed", "completed"]);
  });

  it("is the run itself at its last moment, with the very same steps", () => {
    const last = momentsOf(repaired).at(-1)?.atMs ?? 0;
    runAt(repaired, last).steps.forEach((step, index) => {
      expect(step).toBe(repaired.steps[index]);
    });
  });

  it("of ten thousand steps keeps those that did not change", () => {
    const steps = Array.from({ length: 10_000 }, (_, index) => aStep(`send-mail-${index}`, index));
    const run = aRun({ steps, finishedAt: at(10_000) });
    const moments = momentsOf(run);
    expect(moments).toHaveLength(10_001);
    // What did not change keeps its identity: its bars are not computed again.
    const [before, after] = [runAt(run, seconds(5_000)), runAt(run, seconds(5_001))];
    expect(after.steps.filter((step, index) => step !== before.steps[index])).toHaveLength(2);
  });
});
