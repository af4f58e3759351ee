import { describe, expect, it } from "vitest";
import { compensationOrder } from "@/components/domain/actions/compensate-dialog";
import { fateOf } from "@/components/domain/actions/rerun-plan";
import { anUndo, aRun, aStep, at } from "@/components/testing/a-run";
import { repetitions, splitRerun } from "./rerun-split";

const names = (steps: { name: string }[]) => steps.map(({ name }) => name);

const failedAtCharge = aRun({
  status: "failed",
  failedStep: "charge",
  steps: [
    aStep("create-order", 0),
    aStep("check-stock", 1, { status: "failed" }),
    aStep("charge", 2, { status: "failed" }),
    aStep("audit-log", 3),
    aStep("create-order", 0, { generation: 0, supersededBy: 1 }),
  ],
});

describe("a rerun from the failed step", () => {
  it("keeps every result, also of what ran beside it, and a failure that the code had caught before", () => {
    const { kept, again } = splitRerun(failedAtCharge, "charge");
    expect(names(kept)).toEqual(["create-order", "check-stock", "audit-log"]);
    expect(names(again)).toEqual(["charge"]);
  });
});

describe("a rerun from a chosen step", () => {
  it("runs it and whatever was met after it again", () => {
    const { kept, again } = splitRerun(failedAtCharge, "check-stock");
    expect(names(kept)).toEqual(["create-order"]);
    expect(names(again)).toEqual(["check-stock", "charge", "audit-log"]);
  });

  it("leaves aside what an earlier rerun set aside", () => {
    expect(splitRerun(failedAtCharge, "create-order").again).toHaveLength(4);
  });

  it("touches nothing when the step is not there", () => {
    expect(splitRerun(failedAtCharge, "nowhere").again).toEqual([]);
  });
});

describe("what can happen a second time", () => {
  const mail = aStep("mail", 1, { effect: "once" });
  const charge = aStep("charge", 2);
  const price = aStep("price", 3, { effect: "pure" });

  const order = aStep("order", 0, { kind: "transaction" });
  const repeated = (steps: Parameters<typeof repetitions>[0], freshKeys: boolean) =>
    names(repetitions(steps, freshKeys).map(({ step }) => step));

  it("is what was done and nothing protects", () => {
    expect(repeated([order, mail, charge, price], false)).toEqual(["order", "mail"]);
    expect(repeated([aStep("mail", 1, { effect: "once", status: "failed" })], false)).toEqual([]);
  });

  it("is with fresh keys also what a key protected until now", () => {
    expect(repeated([order, mail, charge, price], true)).toEqual(["order", "mail", "charge"]);
  });

  it("is said on each row", () => {
    expect([mail, charge, price].map((step) => fateOf(step, false, false))).toEqual([
      "runs again · unprotected",
      "runs again · same key",
      "runs again",
    ]);
    expect(fateOf(order, false, true)).toBe("commits again");
    expect(fateOf(charge, false, true)).toBe("runs again · fresh key");
    expect(fateOf(charge, true, false)).toBe("result kept");
  });
});

describe("the open compensations of a run", () => {
  const automatic = anUndo({ mode: "automatic" });
  const steps = [
    aStep("create-order", 0, { compensation: automatic, finishedAt: at(3), finishedPosition: 2 }),
    aStep("charge", 1, { compensation: automatic, finishedAt: at(9), finishedPosition: 1 }),
    aStep("log", 2),
    aStep("reserve", 3, { compensation: anUndo({ mode: "automatic", status: "waived" }) }),
    aStep("mail", 4, { status: "failed", compensation: anUndo({ mode: "manual" }) }),
  ];

  it("are of completed steps that declare one, the one whose outcome the code received last first", () => {
    expect(names(compensationOrder(aRun({ status: "failed", steps })))).toEqual(["create-order", "charge"]);
  });

  it("are the failed ones in a run that is being compensated", () => {
    const failed = aStep("charge", 1, { compensation: anUndo({ mode: "automatic", status: "failed" }) });
    const owed = aStep("create-order", 0, { compensation: anUndo({ mode: "automatic", status: "owed" }) });
    expect(names(compensationOrder(aRun({ status: "compensating", steps: [failed, owed] })))).toEqual(["charge"]);
  });
});
