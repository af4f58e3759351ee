import { describe, expect, it } from "vitest";
import { OPERATOR_ACTS, type RunFacts, type StepFacts } from "../engine/runs/operator-acts";
import { RUN_STATUSES, type RunStatus } from "../engine/runs/run";
import { actStates, primaryAct } from "./actions";
import { mayCancel } from "./cancel";
import { mayCompensate } from "./compensate";
import { mayMarkCompensated } from "./mark-compensated";
import { mayPause } from "./pause";
import { mayRerun } from "./rerun";
import { mayResume } from "./resume";
import { maySettle, type Resolution } from "./settle";
import { mayWake } from "./wake";

const step = (given: Partial<StepFacts> = {}): StepFacts => ({
  name: "charge",
  kind: "step",
  effect: "once",
  status: "completed",
  position: 1,
  canAsk: false,
  inDoubt: false,
  compensationMode: "automatic",
  compensationStatus: "none",
  ...given,
});
const run = (status: RunStatus, steps: StepFacts[] = [step()], given: Partial<RunFacts> = {}): RunFacts => ({
  status,
  cancelRequested: false,
  pauseRequested: status === "paused",
  startsLater: false,
  failedStep: null,
  keyHeldBy: null,
  parentRunId: null,
  pageOf: null,
  erased: false,
  steps,
  ...given,
});
const openIn = (rule: (status: RunStatus) => { open: boolean }) => RUN_STATUSES.filter((status) => rule(status).open);

describe("which statuses an act is open in", () => {
  it("rerun of the failed step", () => {
    expect(openIn((status) => mayRerun(run(status)))).toEqual(["failed", "cancelled"]);
  });
  it("rerun from a named step", () => {
    expect(openIn((status) => mayRerun(run(status), { fromStep: "charge" }))).toEqual([
      "waiting",
      "completed",
      "failed",
      "cancelled",
    ]);
  });
  it("cancel", () => {
    expect(openIn((status) => mayCancel(run(status)))).toEqual(["pending", "running", "waiting", "paused"]);
  });
  it("compensate", () => {
    expect(openIn((status) => mayCompensate(run(status)))).toEqual(["completed", "failed", "cancelled"]);
  });
  it("resolve an unknown step", () => {
    const rule = (status: RunStatus) => maySettle(run(status, [step({ status: "unknown" })]), "charge", "happened");
    expect(openIn(rule)).toEqual(["waiting", "completed", "failed", "cancelled", "paused"]);
  });
  it("pause", () => {
    expect(openIn((status) => mayPause(run(status)))).toEqual(["pending", "running", "waiting"]);
  });
  it("resume", () => {
    expect(openIn((status) => mayResume(run(status)))).toEqual(["paused"]);
  });
  it("wake a sleep", () => {
    const asleep = step({ kind: "sleep", status: "waiting" });
    expect(openIn((status) => mayWake(run(status, [asleep])))).toEqual(["waiting"]);
    expect(openIn((status) => mayWake(run(status, [asleep]), "charge"))).toEqual(["waiting"]);
  });
  it("skip a failed step", () => {
    const rule = (status: RunStatus) => maySettle(run(status, [step({ status: "failed" })]), "charge", "skip");
    expect(openIn(rule)).toEqual(["failed"]);
  });
  it("mark compensated", () => {
    const rule = (status: RunStatus) =>
      mayMarkCompensated(run(status, [step({ compensationStatus: "owed" })]), "charge");
    expect(openIn(rule)).toEqual(["compensating"]);
  });
});

describe("what closes an act besides the status", () => {
  const because = (openness: ReturnType<typeof mayCancel>) => (openness.open ? null : openness.because);
  const unknown = step({ status: "unknown" });

  it("an unknown outcome closes rerun and compensate", () => {
    expect(because(mayRerun(run("failed", [unknown])))).toMatch(/unknown outcome/);
    expect(because(mayCompensate(run("failed", [unknown])))).toMatch(/unknown outcome/);
  });
  it("a step that waits for its retry, and may have happened, closes a rerun with fresh keys", () => {
    const waits = step({ status: "waiting", effect: "idempotent", inDoubt: true });
    const params = { fromStep: "charge" };
    expect(mayRerun(run("waiting", [waits]), params).open).toBe(true);
    expect(because(mayRerun(run("waiting", [waits]), { ...params, freshKeys: true }))).toMatch(/fresh key/);
  });
  it("an unknown outcome that a key protects does not close rerun, unless the key were a fresh one", () => {
    const cutOff = step({ status: "unknown", effect: "idempotent" });
    for (const status of ["waiting", "failed", "cancelled"] as const)
      expect(mayRerun(run(status, [cutOff])), status).toEqual({ open: true });
    expect(mayRerun(run("completed", [cutOff])).open).toBe(false);
    expect(mayRerun(run("completed", [cutOff]), { fromStep: "charge" }).open).toBe(true);
    expect(because(mayRerun(run("cancelled", [cutOff]), { scope: "after", freshKeys: true }))).toMatch(/fresh key/);
    expect(because(mayRerun(run("cancelled", [cutOff, unknown])))).toMatch(/unknown outcome/);
    expect(because(mayRerun(run("cancelled", [step({ status: "unknown", effect: "pure" })])))).toMatch(
      /unknown outcome/,
    );
    expect(because(mayCompensate(run("cancelled", [cutOff])))).toMatch(/unknown outcome/);
    expect([primaryAct(run("failed", [cutOff])), primaryAct(run("cancelled", [cutOff]))]).toEqual(["rerun", "settle"]);
  });
  it("a compensated step cannot be built on, a waived one can", () => {
    expect(mayRerun(run("failed", [step({ compensationStatus: "completed" })])).open).toBe(false);
    expect(mayRerun(run("failed", [step({ compensationStatus: "running" })])).open).toBe(false);
    expect(mayRerun(run("failed", [step({ compensationStatus: "waived" })])).open).toBe(true);
  });
  it("a step that is not there", () => {
    expect(because(mayRerun(run("failed"), { fromStep: "nope" }))).toMatch(/no step of this name/);
    expect(because(maySettle(run("waiting"), "nope", "skip"))).toMatch(/no step of this name/);
    expect(because(mayMarkCompensated(run("compensating"), "nope"))).toMatch(/no step of this name/);
  });
  it("a cancel that was asked for already", () => {
    expect(because(mayCancel(run("running", [], { cancelRequested: true })))).toMatch(/already/);
    expect(mayCancel(run("pending", [], { cancelRequested: true })).open).toBe(true);
  });
  it("a pause that was asked for already, and a cancel that goes before it", () => {
    expect(because(mayPause(run("running", [], { pauseRequested: true })))).toMatch(/already/);
    expect(because(mayPause(run("running", [], { cancelRequested: true })))).toMatch(/cancelled/);
    expect(mayResume(run("running", [], { pauseRequested: true })).open).toBe(true);
  });
  it("a wait that is no timer's", () => {
    expect(because(mayWake(run("waiting", [step({ kind: "event", status: "waiting" })])))).toMatch(/no timer|not wait/);
    expect(because(mayWake(run("waiting", [step({ status: "waiting" })]), "other"))).toMatch(/step does not wait/);
    expect(mayWake(run("pending", [], { startsLater: true })).open).toBe(true);
    expect(because(mayWake(run("pending", [])))).toMatch(/does not wait/);
  });
  it("nothing to compensate", () => {
    expect(because(mayCompensate(run("completed", [step({ compensationMode: "none" })])))).toMatch(/No completed step/);
    expect(because(mayCompensate(run("completed", [step({ status: "skipped" })])))).toMatch(/No completed step/);
  });
  it("compensate is open again in a compensating run where a compensation failed", () => {
    expect(mayCompensate(run("compensating", [step({ compensationStatus: "failed" })])).open).toBe(true);
    expect(mayCompensate(run("compensating", [step({ compensationStatus: "owed" })])).open).toBe(false);
  });
  it("ask needs code that can", () => {
    expect(because(maySettle(run("waiting", [unknown]), "charge", "ask"))).toMatch(/cannot check/);
    expect(maySettle(run("waiting", [step({ status: "unknown", canAsk: true })]), "charge", "ask").open).toBe(true);
  });
  it("a failed step may be skipped or supplied, nothing else", () => {
    const open = (outcome: Resolution) =>
      maySettle(run("failed", [step({ status: "failed", canAsk: true })]), "charge", outcome).open;
    expect([open("skip"), open("happened"), open("did_not_happen"), open("ask")]).toEqual([true, true, false, false]);
  });
  it.each([
    ["owed", true],
    ["failed", true],
    ["running", false],
    ["none", false],
    ["completed", false],
    ["waived", false],
  ] as const)("an undo that is %s may be marked: %s", (compensationStatus, open) => {
    expect(mayMarkCompensated(run("compensating", [step({ compensationStatus })]), "charge").open).toBe(open);
  });
});

describe("the one right next thing", () => {
  it.each([
    ["settle", run("waiting", [step({ status: "unknown" })])],
    ["settle", run("failed", [step({ status: "failed" }), step({ name: "b", status: "unknown" })])],
    ["rerun", run("failed", [step({ status: "failed" })])],
    ["mark_compensated", run("compensating", [step({ compensationStatus: "failed" })])],
    ["mark_compensated", run("compensating", [step({ compensationMode: "manual", compensationStatus: "owed" })])],
    [null, run("compensating", [step({ compensationStatus: "owed" })])],
    [null, run("running", [step({ status: "running" })])],
    ["resume", run("paused")],
    [null, run("completed")],
  ])("is %s", (act, facts) => {
    expect(primaryAct(facts)).toBe(act);
  });
});

it("every act says why it is closed, in a sentence, in every status", () => {
  for (const status of RUN_STATUSES) {
    const states = actStates(run(status));
    expect(states.map(({ act }) => act)).toEqual([...OPERATOR_ACTS]);
    for (const { open, because } of states)
      if (open) expect(because).toBeNull();
      else expect(because).toMatch(/^[A-Z].+\.$/);
  }
});
