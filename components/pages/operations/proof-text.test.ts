import { expect, it } from "vitest";
import { proofText } from "./proof-text";

it("is a text to be pasted, with the address of the operation", () => {
  const charge = { workflow: "order", step: "charge", happened: 528, keys: 528, maybeTwice: 0, open: 0 };
  const rest = { ...charge, step: null, happened: 1, keys: 1 };
  const proof = { runs: 528, lostAtEnd: 0, steps: [charge, rest], worst: "once" as const };
  expect(proofText("Rerun of 528 runs", proof, "https://handrail.test/operations/1").split("\n")).toEqual([
    "Rerun of 528 runs",
    "528 repaired runs. Nothing happened twice: every effect has one recorded attempt that had it.",
    "charge: 528 happened, 528 keys, 0 maybe twice, 0 open",
    "all other steps: 1 happened, 1 key, 0 maybe twice, 0 open",
    "https://handrail.test/operations/1",
  ]);
  const lost = { ...proof, lostAtEnd: 2, worst: "unknown" as const };
  expect(proofText("Rerun", lost, "https://handrail.test/operations/1").split("\n")[1]).toBe(
    "528 repaired runs. Some effects may have happened; no outcome is recorded. In 2 runs a worker was lost after the last recorded outcome.",
  );
});
