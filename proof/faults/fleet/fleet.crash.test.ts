import { expect, it } from "vitest";
import { violationLines } from "../report";
import { strikeFleet } from "./main";

/** Of `npm run faults -- fleet`, and with what is wrong on purpose. */
it("keys start one run while a cell is added to a fleet under load, and a second one where its three deploys are left out", async () => {
  const trials = await strikeFleet({ seed: Date.now() % 1_000_000, only: "cell added", say: () => undefined });
  expect(trials.map(({ fault }) => fault)).toEqual(["cell added", "cell added at once"]);
  const broken = trials.flatMap(violationLines);
  if (broken.length > 0) throw new Error(broken.join("\n"));
});
