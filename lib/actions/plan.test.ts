import { describe, expect, it } from "vitest";
import { type PlanFacts, PlanHash, type PlannedStepFacts } from "../engine/operations/plan";
import { PlanTally } from "../engine/operations/plan-totals";
import type { PlannedAct } from "./actions";
import { decidedOn, isDoneAlready, planItem } from "./plan";

const RUN = "01900000-0000-7000-8000-000000000001";

const step = (name: string, position: number, over: Partial<PlannedStepFacts> = {}): PlannedStepFacts => ({
  name,
  kind: "step",
  status: "completed",
  position,
  canAsk: false,
  inDoubt: false,
  compensationMode: "automatic",
  compensationStatus: "none",
  effect: "idempotent",
  keyGeneration: 1,
  reference: null,
  beganAt: position * 10,
  firstOutcomeAt: position * 10 + 5,
  ...over,
});

const failedOrder = (over: Partial<PlanFacts> = {}): PlanFacts => ({
  id: RUN,
  workflow: "order-fulfilment",
  revision: 7,
  generation: 1,
  status: "failed",
  cancelRequested: false,
  pauseRequested: false,
  startsLater: false,
  failedStep: "charge-payment",
  keyHeldBy: null,
  parentRunId: null,
  pageOf: null,
  erased: false,
  chosenVersion: null,
  unfit: [],
  splitBelow: "clean",
  doubtBelow: null,
  steps: [
    step("create-order", 1, { kind: "transaction" }),
    step("look-up", 2, { effect: "pure", compensationMode: "none" }),
    step("reserve", 3, { reference: "r-1" }),
    step("charge-payment", 4, { status: "failed" }),
  ],
  fourEyes: [],
  ...over,
});

const rerun: PlannedAct = { act: "rerun", params: {} };
const cancel: PlannedAct = { act: "cancel", params: {} };

describe("the item of a rerun", () => {
  it("says which results and effects stay, with key and reference, and what runs again", () => {
    expect(planItem(rerun, failedOrder(), [])).toMatchObject({
      included: true,
      because: null,
      revision: 7,
      keeps: { count: 3, first: ["create-order", "look-up", "reserve"] },
      again: { count: 1, first: ["charge-payment"] },
      stay: {
        count: 2,
        first: [
          { step: "create-order", key: `${RUN}:create-order:1`, reference: null },
          { step: "reserve", key: `${RUN}:reserve:1`, reference: "r-1" },
        ],
      },
      repeats: { count: 0, first: [] },
      split: null,
    });
  });

  it("from a step on tells of the effects that are asked for again", () => {
    const item = planItem({ act: "rerun", params: { fromStep: "reserve" } }, failedOrder(), []);
    expect(item).toMatchObject({
      again: { count: 2, first: ["reserve", "charge-payment"] },
      repeats: { count: 1, first: [{ step: "reserve", reference: "r-1" }] },
      stay: { count: 1 },
    });
  });

  it("names the completed steps whose compensation is superseded, which stays open in a run that is started again", () => {
    const steps = [
      step("reserve", 1),
      step("look-up", 2, { compensationMode: "none" }),
      step("parcel", 3, { compensationMode: "manual" }),
      step("waived", 4, { compensationStatus: "waived" }),
      step("charge-payment", 5, { status: "failed" }),
    ];
    const facts = failedOrder({ steps });
    const uncompensated = (act: PlannedAct, given = facts) => planItem(act, given, []).uncompensated.first;
    for (const freshKeys of [true, false]) {
      expect(uncompensated({ act: "rerun", params: { fromStep: "reserve", freshKeys } })).toEqual([
        "reserve",
        "parcel",
      ]);
      expect(uncompensated({ act: "rerun", params: { fromStep: "look-up", freshKeys } })).toEqual(["parcel"]);
      expect(uncompensated({ act: "rerun", params: { freshKeys } })).toEqual([]);
    }
    expect(uncompensated({ act: "start_again", params: {} })).toEqual([]);
    expect(uncompensated(cancel, failedOrder({ status: "paused" }))).toEqual([]);
    const tally = new PlanTally();
    for (const fromStep of ["reserve", "parcel"])
      tally.add(planItem({ act: "rerun", params: { fromStep, freshKeys: true } }, facts, []));
    expect(tally.totals().uncompensated).toBe(3);
  });

  it("repeats a step of unknown outcome that its key protects, wherever the rerun starts", () => {
    const facts = failedOrder({
      failedStep: "mail",
      steps: [
        step("charge-payment", 1, { status: "unknown" }),
        step("look-up", 2),
        step("mail", 3, { status: "failed" }),
      ],
    });
    for (const params of [{}, { fromStep: "mail" }, { fromStep: "mail", scope: "branch" as const }])
      expect(planItem({ act: "rerun", params }, facts, [])).toMatchObject({
        included: true,
        keeps: { first: ["look-up"] },
        again: { first: ["charge-payment", "mail"] },
        repeats: { first: [{ step: "charge-payment" }] },
      });
  });

  it("leaves a run out by the rule of the act, and says nothing runs again then", () => {
    const unknown = failedOrder({ steps: [step("charge-payment", 1, { status: "unknown", effect: "once" })] });
    expect(planItem(rerun, unknown, [])).toMatchObject({
      included: false,
      because: expect.stringContaining("unknown outcome"),
      again: { count: 0 },
    });
  });

  it("on a version asks for a live worker that has it", () => {
    const onVersion: PlannedAct = { act: "rerun", params: { version: 8 } };
    expect(planItem(onVersion, failedOrder(), [8]).included).toBe(true);
    expect(planItem(onVersion, failedOrder(), [7]).because).toBe(
      'No live worker has that version of "order-fulfilment". Live workers have version 7.',
    );
  });

  it("of 10,000 steps names the first twenty and counts the rest", () => {
    const steps = Array.from({ length: 10_000 }, (_, index) => step(`s${index}`, index + 1));
    const item = planItem({ act: "rerun", params: { fromStep: "s0" } }, failedOrder({ steps }), []);
    expect(item.again.count).toBe(10_000);
    expect(item.again.first).toHaveLength(20);
    expect(JSON.stringify(item).length).toBeLessThan(10_000);
  });
});

describe("the item of a cancel", () => {
  const waiting = (steps: PlannedStepFacts[]) => planItem(cancel, failedOrder({ status: "waiting", steps }), []);

  it.each([
    ["clean", [step("look-up", 1, { effect: "pure" }), step("wait", 2, { kind: "sleep", status: "waiting" })]],
    ["owes_compensation", [step("charge-payment", 1)]],
    ["past_undoing", [step("charge-payment", 1), step("send-mail", 2, { compensationMode: "none" })]],
  ] as const)("is %s by what the run has done", (split, steps) => {
    expect(waiting([...steps]).split).toBe(split);
  });

  it("of an ended run is left out", () => {
    expect(planItem(cancel, failedOrder(), [])).toMatchObject({ included: false, split: null });
  });
});

describe("what was decided on", () => {
  it("is the same for a run that has moved without a difference, and another when more would run again", () => {
    const then = planItem(rerun, failedOrder(), []);
    expect(decidedOn(rerun, planItem(rerun, failedOrder({ revision: 9 }), []))).toBe(decidedOn(rerun, then));
    const more = failedOrder({ failedStep: "reserve", steps: [step("reserve", 1, { status: "failed" })] });
    expect(decidedOn(rerun, planItem(rerun, more, []))).not.toBe(decidedOn(rerun, then));
  });

  it("does not let a run go on that is to be cancelled because it reads on, but because it charged a card", () => {
    const at = (...steps: PlannedStepFacts[]) =>
      decidedOn(cancel, planItem(cancel, failedOrder({ status: "running", steps }), []));
    const then = at();
    expect(at(step("look-up", 1, { effect: "pure", compensationMode: "none" }))).toBe(then);
    expect(at(step("charge-payment", 1))).not.toBe(then);
  });
});

describe("done already", () => {
  const now = (over: Partial<PlanFacts>) => failedOrder(over);
  it.each([
    [rerun, { generation: 2 }, true],
    [rerun, {}, false],
    [cancel, { status: "cancelled" }, true],
    [cancel, { status: "running", cancelRequested: true }, true],
    [cancel, { status: "pending", cancelRequested: true }, false],
    [{ act: "pause", params: {} }, { status: "paused" }, true],
    [{ act: "pause", params: { children: true } }, { status: "paused" }, false],
    [{ act: "resume", params: {} }, { status: "paused", pauseRequested: true }, false],
  ] as const)("%j of %j: %s", (act, over, already) => {
    expect(isDoneAlready(act, now(over), planItem(act, failedOrder(), []))).toBe(already);
  });
});

describe("the hash", () => {
  const hashOf = (act: PlannedAct, ...runs: PlanFacts[]) => {
    const hash = new PlanHash(act, "salt");
    for (const run of runs) hash.add(planItem(act, run, []));
    return hash.digest();
  };

  it("covers the action, its parameters, and every item in its order", () => {
    const [one, other] = [failedOrder(), failedOrder({ id: RUN.replace("01900", "01901") })];
    const hash = hashOf(rerun, one, other);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(rerun, one, other)).toBe(hash);
    const others = [
      hashOf(rerun, other, one),
      hashOf(rerun, one),
      hashOf(rerun, one, { ...other, revision: 8 }),
      hashOf({ act: "rerun", params: { freshKeys: true } }, one, other),
    ];
    expect(new Set([hash, ...others]).size).toBe(5);
  });

  it("cannot be computed from what the plan has", () => {
    expect(new PlanHash(rerun, "salt").digest()).not.toBe(new PlanHash(rerun, "other salt").digest());
  });
});

describe("totals", () => {
  it("add up what is in and what is left out, and why", () => {
    const tally = new PlanTally();
    tally.add(planItem(rerun, failedOrder(), []));
    tally.add(planItem(rerun, failedOrder({ status: "completed", failedStep: null }), []));
    expect(tally.totals()).toMatchObject({
      runs: 2,
      included: 1,
      again: [{ name: "charge-payment", count: 1 }],
      leftOut: [{ count: 1, name: expect.stringContaining("completed") }],
      effects: { stay: 2, repeat: 0, unprotected: 0 },
    });
  });

  it("call what is asked for again by a fresh key, or by a step that nothing protects, unprotected", () => {
    const facts = failedOrder({ steps: [step("mail", 1, { effect: "once" }), step("charge-payment", 2)] });
    const unprotected = (freshKeys: boolean) => {
      const tally = new PlanTally();
      tally.add(planItem({ act: "rerun", params: { fromStep: "mail", freshKeys } }, facts, []));
      return tally.totals().effects.unprotected;
    };
    expect([unprotected(false), unprotected(true)]).toEqual([1, 2]);
  });

  it("count what is unprotected also behind the first twenty effects of a run", () => {
    const unprotected = (effects: PlannedStepFacts["effect"][]) => {
      const steps = effects.map((effect, index) => step(`s${index}`, index + 1, { effect }));
      const tally = new PlanTally();
      tally.add(planItem({ act: "rerun", params: { fromStep: "s0" } }, failedOrder({ steps }), []));
      return tally.totals().effects.unprotected;
    };
    expect(unprotected([...Array.from({ length: 25 }, () => "idempotent" as const), "once"])).toBe(1);
    expect(unprotected(Array.from({ length: 30 }, () => "once" as const))).toBe(30);
  });

  it("tell twenty reasons apart, and no more", () => {
    const tally = new PlanTally();
    const item = planItem(cancel, failedOrder(), []);
    for (let index = 0; index < 50; index++) tally.add({ ...item, because: `because ${index}` });
    expect(tally.totals().leftOut).toHaveLength(21);
    expect(tally.totals().leftOut.at(-1)).toEqual({ name: "others", count: 30 });
  });
});
