import { expect, it } from "vitest";
import { violationLines } from "../report";
import { strikeFleet } from "./main";

/** Two of `npm run faults -- fleet`. */
const STRIKES = ["cell added", "first deploy left out"];

it("a key starts one run while a cell is added under load, and a second one where the first deploy is left out", async () => {
  const only = ({ name }: { name: string }) => STRIKES.includes(name);
  const trials = await strikeFleet({ seed: Date.now() % 1_000_000, only, say: () => undefined });
  expect(trials.map(({ fault }) => fault)).toEqual(STRIKES);
  const broken = trials.flatMap(violationLines);
  if (broken.length > 0) throw new Error(broken.join("\n"));
});
