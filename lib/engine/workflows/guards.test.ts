import { expect, it } from "vitest";
import { type Guards, guardChanges } from "./guards";

const guards = (version: number, masked: string[], fourEyes: string[] = [], workflow = "orders"): Guards => ({
  workflow,
  version,
  masked,
  fourEyes,
});

it("a first version, the same again and a version that protects more change nothing", () => {
  const one = guards(1, ["iban"], ["cancel"]);
  expect(guardChanges([], [one])).toEqual([]);
  expect(guardChanges([one], [one])).toEqual([]);
  expect(guardChanges([one], [one, guards(2, ["iban", "card"], ["cancel"])])).toEqual([]);
  expect(guardChanges([guards(1, ["iban"], [], "other")], [guards(2, [])])).toEqual([]);
});

it("a known version that changes, and a new one that protects less, are named with what was before", () => {
  const [one, more] = [guards(1, ["iban"]), guards(1, ["iban"], ["cancel"])];
  expect(guardChanges([one], [more])).toEqual([{ before: one, after: more }]);
  const [two, three] = [guards(2, ["iban", "card"]), guards(3, ["iban"])];
  expect(guardChanges([two, one], [one, two, three])).toEqual([{ before: two, after: three }]);
});
